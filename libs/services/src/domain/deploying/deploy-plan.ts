/** All steps of a deployment, in the order of `stop-first`. Nothing on the engine changes before the step `commit`. */
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

/**
 * `revert` replaces the remaining steps after a failure. `control` is the only step of operations that create no
 * containers, and `remove` the only one of a removal.
 */
export const STEP_NAMES = [...DEPLOY_STEPS, 'revert', 'control', 'remove'] as const;
export type StepName = (typeof STEP_NAMES)[number];
export type DeployStep = (typeof DEPLOY_STEPS)[number];

/**
 * How the new containers replace the old ones. With `start-first` both run until the new ones have passed the health
 * gate. With `stop-first` the old ones stop before, because both cannot run at the same time.
 */
export const DEPLOYMENT_STRATEGIES = ['start-first', 'stop-first'] as const;
export type DeploymentStrategy = (typeof DEPLOYMENT_STRATEGIES)[number];

/** The progress of a deployment when a worker takes it up, possibly after another worker. */
export interface DeployProgress {
  /** Null before the commit point. */
  readonly strategy: DeploymentStrategy | null;
  readonly committed: boolean;
  /** The new containers have passed the health gate. */
  readonly proven: boolean;
}

const PREPARING: readonly DeployStep[] = ['validate', 'quota', 'clone', 'build', 'pull', 'label_check', 'commit'];
/** The steps from the commit point to the health gate. */
const CHANGING: Readonly<Record<DeploymentStrategy, readonly DeployStep[]>> = {
  'start-first': ['create', 'start', 'health_gate'],
  'stop-first': ['create', 'retire', 'start', 'health_gate'],
};
const CLOSING: Readonly<Record<DeploymentStrategy, readonly DeployStep[]>> = {
  'start-first': ['route', 'retire', 'finish'],
  'stop-first': ['route', 'finish'],
};

/**
 * The steps that remain. Every step is idempotent, so steps that a dead worker had carried out are safe to repeat. Only
 * the commit point and the health gate are recorded and never passed twice.
 */
export function remainingSteps({ committed, proven, strategy }: DeployProgress): readonly DeployStep[] {
  const order = strategy ?? 'stop-first';
  if (proven) return CLOSING[order];
  const left = [...CHANGING[order], ...CLOSING[order]];
  return committed ? left : [...PREPARING, ...left];
}

/** Whether a failure in this step leaves the service unchanged. */
export function isBeforeCommit(step: StepName): boolean {
  return (PREPARING as readonly StepName[]).includes(step);
}
