/** Everything that can happen in a deployment, in its order. Before the commit point nothing on the engine changes. */
export const DEPLOY_STEPS = [
  'validate',
  'quota',
  'pull',
  'label_check',
  'commit',
  'create',
  'retire',
  'start',
  'health_gate',
  'route',
  'finish',
] as const;

/** `revert` comes in place of what was left to do; `control` is the one step of what makes no containers. */
export const STEP_NAMES = [...DEPLOY_STEPS, 'revert', 'control', 'remove'] as const;
export type StepName = (typeof STEP_NAMES)[number];
export type DeployStep = (typeof DEPLOY_STEPS)[number];

/** What is known of a deployment when a worker takes it up, possibly not as the first one. */
export interface DeployProgress {
  readonly committed: boolean;
  readonly proven: boolean;
}

const PREPARING: readonly DeployStep[] = ['validate', 'quota', 'pull', 'label_check', 'commit'];
const CHANGING: readonly DeployStep[] = ['create', 'retire', 'start', 'health_gate'];
const CLOSING: readonly DeployStep[] = ['route', 'finish'];

/**
 * The steps that are left. Each of them makes sure of something rather than doing it once, so the ones that a dead
 * worker had carried out are safe to repeat; the two marks that are never passed twice are the commit point and the
 * proof.
 */
export function remainingSteps({ committed, proven }: DeployProgress): readonly DeployStep[] {
  if (proven) return CLOSING;
  return committed ? [...CHANGING, ...CLOSING] : [...PREPARING, ...CHANGING, ...CLOSING];
}

/** True while a failure leaves the service as it was. */
export function isBeforeCommit(step: StepName): boolean {
  return (PREPARING as readonly StepName[]).includes(step);
}
