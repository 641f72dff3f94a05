import { Conflict } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { errorMessage, type DeployFailure } from './deploy-failure.js';
import { isBeforeCommit, type DeploymentStrategy, type DeployProgress, type StepName } from './deploy-plan.js';
import type { DeploymentState, DeploymentTrigger } from './deployment-state.js';
import { withOneShots, type GroupTopology } from './group-topology.js';

/** Operations that can be cancelled. Stopping or removing a service cannot. */
const CANCELLABLE: ReadonlySet<DeploymentTrigger> = new Set([
  'create',
  'update',
  'git',
  'push',
  'template',
  'analysis',
  'redeploy',
  'rollback',
  'restore',
  'clone',
  'start',
  'restart',
  'reconcile',
] as const);

/**
 * One operation on a service, which was accepted and is carried out later. A queued deployment exists only as a row in
 * the database. It ends exactly once: as succeeded, failed, cancelled or superseded.
 */
export class Deployment {
  #state: DeploymentState;

  private constructor(state: DeploymentState) {
    this.#state = state;
  }

  /** @param of `errorMessage` is the reason for which the panel itself starts it, if it does */
  static queue(
    of: Pick<DeploymentState, 'id' | 'serviceId' | 'trigger' | 'actor' | 'specVersion' | 'createdAt'> &
      Partial<Pick<DeploymentState, 'sourceDeploymentId' | 'errorMessage'>>,
  ): Deployment {
    return new Deployment({
      sourceDeploymentId: null,
      errorMessage: null,
      ...of,
      status: 'queued',
      reverted: false,
      steps: [],
      topology: null,
      strategy: null,
      commitSha: null,
      attempts: 0,
      cancelRequested: false,
      committedAt: null,
      provenAt: null,
      startedAt: null,
      finishedAt: null,
    });
  }

  /** Restores a stored deployment without checks. */
  static restore(state: DeploymentState): Deployment {
    return new Deployment(state);
  }

  get state(): DeploymentState {
    return this.#state;
  }

  get id(): Uuid {
    return this.#state.id;
  }

  get serviceId(): Uuid {
    return this.#state.serviceId;
  }

  get trigger(): DeploymentTrigger {
    return this.#state.trigger;
  }

  get topology(): GroupTopology | null {
    return this.#state.topology;
  }

  get progress(): DeployProgress {
    const { committedAt, provenAt, strategy } = this.#state;
    return { committed: committedAt !== null, proven: provenAt !== null, strategy };
  }

  /** True until a step has touched a container. */
  get isUntouched(): boolean {
    return this.#state.steps.every(({ name }) => isBeforeCommit(name));
  }

  /** A worker takes it up. Operations without a version of their own apply to the version that serves now. */
  begin(servingVersion: number): void {
    if (!WITH_VERSION.has(this.#state.trigger) && this.#state.specVersion !== servingVersion)
      this.#change({ specVersion: servingVersion });
  }

  /** Begins a step, or begins it again when another worker takes the deployment up. */
  beginStep(name: StepName, at: Date): void {
    const others = this.#state.steps.filter((step) => step.name !== name);
    const begun = { name, status: 'running', startedAt: at, finishedAt: null, message: null } as const;
    this.#change({ steps: [...others, begun] });
  }

  endStep(name: StepName, failure: DeployFailure | null, at: Date): void {
    const status = failure ? 'failed' : 'succeeded';
    const ended = { status, message: failure?.errorMessage ?? null, finishedAt: at } as const;
    this.#change({ steps: this.#state.steps.map((step) => (step.name === name ? { ...step, ...ended } : step)) });
  }

  /** Records the commit that its images are built from. */
  noteCommit(commitSha: string): void {
    this.#change({ commitSha });
  }

  /** The commit point: from here on the containers of `topology` are touched. */
  commit(topology: GroupTopology, strategy: DeploymentStrategy, at: Date): void {
    this.#change({ topology, strategy, committedAt: at });
  }

  /** The new containers passed the health gate. @param ended roles of one-shot containers that have completed */
  prove(ended: ReadonlySet<string>, at: Date): void {
    this.#change({ provenAt: at });
    this.noteFinishedWork(ended);
  }

  /** These members have completed, so monitoring and reconciliation do not start them again. */
  noteFinishedWork(roles: ReadonlySet<string>): void {
    const { topology } = this.#state;
    if (topology) this.#change({ topology: withOneShots(topology, roles) });
  }

  succeed(at: Date): void {
    this.#change({ status: 'succeeded', finishedAt: at });
  }

  /** @param reverted the previous containers were restored */
  fail(failure: DeployFailure, at: Date, { reverted = false } = {}): void {
    const status = failure.code === 'cancelled' ? 'cancelled' : 'failed';
    this.#change({ status, errorMessage: failure.errorMessage, reverted, finishedAt: at });
  }

  /** Puts it back into the queue, to be tried again. */
  postpone(failure: DeployFailure): void {
    this.#change({ status: 'queued', errorMessage: failure.errorMessage, startedAt: null });
  }

  /**
   * A queued deployment is cancelled at once. A running one ends before its next step.
   * @throws Conflict (`invalid_state`) if it has ended, or if its operation cannot be cancelled
   */
  cancel(at: Date): void {
    const { trigger, status } = this.#state;
    const isOver = status !== 'queued' && status !== 'running';
    if (isOver || !CANCELLABLE.has(trigger)) throw new Conflict('invalid_state', 'The deployment cannot be cancelled.');
    if (status === 'running') this.requestCancellation();
    else this.#end('cancelled', 'It was cancelled before it began.', at);
  }

  requestCancellation(): void {
    this.#change({ cancelRequested: true });
  }

  /** Another operation replaces this one, which had not started. */
  supersede(text: string, at: Date): void {
    this.#end('superseded', text, at);
  }

  #end(status: 'cancelled' | 'superseded', text: string, at: Date): void {
    this.#change({ status, errorMessage: errorMessage('cancelled', text), finishedAt: at });
  }

  #change(change: Partial<DeploymentState>): void {
    this.#state = { ...this.#state, ...change };
  }
}

/** Operations with a version of their own. All others apply to the version that serves when a worker takes them up. */
const WITH_VERSION: ReadonlySet<DeploymentTrigger> = new Set([
  'create',
  'update',
  'git',
  'push',
  'template',
  'analysis',
  'rollback',
  'restore',
  'clone',
] as const);

/** The version that a change is based on: that of an open operation, or else the one that serves. */
export function headVersion(
  { specVersion }: { readonly specVersion: number },
  { queued, running }: { readonly queued: Deployment | null; readonly running: Deployment | null },
): number {
  const own = [queued, running].find((open) => open && WITH_VERSION.has(open.trigger));
  return own?.state.specVersion ?? specVersion;
}

/** A redeploy always asks the registry. Other operations pull only the images that the engine lacks. */
export function pullPolicyOf(trigger: DeploymentTrigger): 'always' | 'if-missing' {
  return trigger === 'redeploy' ? 'always' : 'if-missing';
}
