/** Everything that can happen in a deployment, in the order of `stop-first`. Before the commit point nothing on the engine changes. */
export const DEPLOY_STEPS = [
  'validate',
  'quota',
  'clone',
  'build',
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

/**
 * How the new containers take the place of the old ones: beside them until the gate is passed, or after they have
 * stopped, where both cannot run at once.
 */
export const DEPLOYMENT_STRATEGIES = ['start-first', 'stop-first'] as const;
export type DeploymentStrategy = (typeof DEPLOYMENT_STRATEGIES)[number];

/** What is known of a deployment when a worker takes it up, possibly not as the first one. */
export interface DeployProgress {
  /** Null before the commit point. */
  readonly strategy: DeploymentStrategy | null;
  readonly committed: boolean;
  readonly proven: boolean;
}

const PREPARING: readonly DeployStep[] = ['validate', 'quota', 'clone', 'build', 'pull', 'label_check', 'commit'];
/** From the commit point to the proof. The old containers stop before the new ones start, or after they serve. */
const CHANGING: Readonly<Record<DeploymentStrategy, readonly DeployStep[]>> = {
  'start-first': ['create', 'start', 'health_gate'],
  'stop-first': ['create', 'retire', 'start', 'health_gate'],
};
const CLOSING: Readonly<Record<DeploymentStrategy, readonly DeployStep[]>> = {
  'start-first': ['route', 'retire', 'finish'],
  'stop-first': ['route', 'finish'],
};

/**
 * The steps that are left. Each of them makes sure of something rather than doing it once, so the ones that a dead
 * worker had carried out are safe to repeat; the two marks that are never passed twice are the commit point and the
 * proof.
 */
export function remainingSteps({ committed, proven, strategy }: DeployProgress): readonly DeployStep[] {
  const order = strategy ?? 'stop-first';
  if (proven) return CLOSING[order];
  const left = [...CHANGING[order], ...CLOSING[order]];
  return committed ? left : [...PREPARING, ...left];
}

/** True while a failure leaves the service as it was. */
export function isBeforeCommit(step: StepName): boolean {
  return (PREPARING as readonly StepName[]).includes(step);
}
