import type { Uuid } from '#kernel/crypto/uuid';
import type { DeploymentTrigger } from './deploying/deployment-state.js';
import type { ResourceLimits } from './resource-limits.js';
import { endsTooOften, withEnding } from './deploying/endings.js';
import {
  decide,
  DESIRED_BY,
  OVERRULING,
  STATUS_DURING,
  STATUS_WHILE,
  type Decision,
  type ServiceAction,
} from './service-actions.js';
import type { DesiredState, ServiceState, ShownGroup, StatusReason } from './service-state.js';

/** How an operation failed. */
export interface OperationFailure {
  /** No container was touched, so the service returns to its settled status. */
  readonly untouched: boolean;
  /** Lock the service, because its containers are in an undefined state. */
  readonly lock: boolean;
  readonly reason: StatusReason;
}

/** The deployment that serves, with its version and limits. */
export interface ServingVersion {
  readonly id: Uuid;
  readonly specVersion: number;
  readonly resourceLimits: ResourceLimits;
}

/** The fields of a service that do not affect its containers. */
export type ServiceDetails = Pick<ServiceState, 'name' | 'description' | 'customerId'>;

/**
 * One customer application: a group of containers, their desired state and what is known about them. Every change is a
 * method that says what happened. Which action is allowed in which status is defined in `service-actions.ts`.
 */
export class Service {
  #state: ServiceState;

  private constructor(state: ServiceState) {
    this.#state = state;
  }

  /** A new service, whose first deployment is queued. */
  static create(
    given: Pick<
      ServiceState,
      'id' | 'customerId' | 'name' | 'description' | 'deploymentType' | 'templateName' | 'resourceLimits' | 'createdAt'
    >,
  ): Service {
    return new Service({
      ...given,
      status: 'pending',
      settledStatus: null,
      statusReason: null,
      desiredState: 'running',
      suspended: false,
      locked: false,
      specVersion: 1,
      currentDeploymentId: null,
      containerIds: [],
      networkId: null,
      portMappings: [],
      endings: [],
      startedAt: null,
    });
  }

  /** Restores a stored service without checks. */
  static restore(state: ServiceState): Service {
    return new Service(state);
  }

  get state(): ServiceState {
    return this.#state;
  }

  get id(): Uuid {
    return this.#state.id;
  }

  get hasFailed(): boolean {
    return this.#state.status === 'error';
  }

  /** Whether `action` is allowed now. */
  decide(action: ServiceAction): Decision {
    return decide(action, this.#state);
  }

  /**
   * An action was accepted. A suspension and a removal change the status at once. Other actions change it at once only
   * if no operation is running.
   * @param free no operation is running
   * @param superseded trigger of the queued operation that is replaced, if any. Its desired state is kept, so that it
   *   applies when a suspension ends.
   */
  accept(action: ServiceAction, { free, superseded }: { free: boolean; superseded: DeploymentTrigger | null }): void {
    const isSeen = free || OVERRULING.has(action);
    const { status, suspended, desiredState } = this.#state;
    this.#change({
      status: isSeen ? (STATUS_WHILE[action] ?? status) : status,
      suspended: action === 'suspend' || (suspended && action !== 'unsuspend'),
      desiredState: (superseded && DESIRED_BY[superseded]) ?? desiredState,
    });
  }

  /** Ends the suspension of a service that should stay stopped. The engine has nothing to do. */
  unsuspendStopped({ free }: { free: boolean }): void {
    this.#change(free ? { suspended: false, status: 'stopped', settledStatus: 'stopped' } : { suspended: false });
  }

  /** Changes fields that need no deployment. Omitted fields keep their values. */
  describe(details: Partial<ServiceDetails>): void {
    const isNews = Object.entries(details).some(([key, value]) => this.#state[key as keyof ServiceDetails] !== value);
    if (isNews) this.#change(details);
  }

  /** A new version was accepted. The service shows it once it serves, or at once if no version has served yet. */
  propose(specVersion: number, resourceLimits: ResourceLimits): void {
    if (this.#state.currentDeploymentId === null) this.#change({ specVersion, resourceLimits });
  }

  /** The queued operation was cancelled, and no other one is running. */
  returnToRest(reason: StatusReason): void {
    const status = this.#state.settledStatus ?? 'error';
    const { statusReason } = this.#state;
    this.#change({ status, statusReason: status === 'error' ? (statusReason ?? reason) : statusReason });
  }

  /** A worker starts an operation. */
  begin(trigger: DeploymentTrigger): void {
    const { status, desiredState } = this.#state;
    this.#change({
      status: STATUS_DURING[trigger] ?? status,
      desiredState: DESIRED_BY[trigger] ?? desiredState,
    });
  }

  /** A deployment has passed its commit point, so its containers should run. */
  commitDeployment(): void {
    this.#change({ desiredState: 'running' });
  }

  /**
   * The containers of the first deployment were started. Without health checks the service is `running` at once. With
   * them, for instance while a database initialises itself, it stays `deploying` until the health gate has passed.
   */
  showFirstContainers(group: ShownGroup, at: Date, { haveHealthChecks }: { haveHealthChecks: boolean }): void {
    this.#change({ ...group, startedAt: at, ...(haveHealthChecks ? {} : { status: 'running' }) });
  }

  /** The containers of a deployment passed the health gate, so they serve from now on. */
  adopt(deployment: ServingVersion, group: ShownGroup, at: Date): void {
    const { id: currentDeploymentId, specVersion, resourceLimits } = deployment;
    this.#change({ ...group, startedAt: at, currentDeploymentId, specVersion, resourceLimits });
  }

  finishDeployment(): void {
    this.#change({ status: 'running', settledStatus: 'running', statusReason: null, locked: false });
  }

  /** Its containers were started, or were found running. */
  containersRun(containerIds: readonly string[], since: Date): void {
    this.#change({ containerIds, startedAt: since });
  }

  containersStopped(): void {
    this.#change({ startedAt: null });
  }

  /**
   * An operation succeeded: the containers are in the wanted state. Only a reconciliation unlocks.
   * @param reason why the panel itself started the operation. Kept only if the service is stopped now.
   */
  settle({ unlock, reason = null }: { unlock: boolean; reason?: StatusReason | null }): void {
    const status = this.#state.suspended ? 'suspended' : this.#state.desiredState;
    const statusReason = status === 'stopped' ? reason : null;
    this.#change({ status, settledStatus: status, statusReason, locked: this.#state.locked && !unlock });
  }

  operationFailed({ untouched, lock, reason }: OperationFailure): void {
    const settled = untouched ? (this.#state.settledStatus ?? 'error') : 'error';
    if (settled === 'error') this.#fail(reason);
    else this.#change({ status: settled, settledStatus: settled });
    if (settled === 'stopped') this.#change({ desiredState: 'stopped' });
    if (lock) this.#change({ locked: true });
  }

  /**
   * The previous containers were restored.
   * @param restartedAt when they were started again, if they had been stopped
   */
  reverted(desiredState: DesiredState, restartedAt: Date | null): void {
    this.#change({ desiredState });
    this.settle({ unlock: false });
    if (restartedAt && this.#state.status === 'running') this.#change({ startedAt: restartedAt });
  }

  /** A first deployment failed and its containers are gone. */
  leftWithoutContainers(reason: StatusReason): void {
    this.#fail(reason, { containerIds: [] });
  }

  /** The previous containers could not be restored. The service is locked unless it had none. */
  couldNotBeReverted({ hadContainers, reason }: { hadContainers: boolean; reason: StatusReason }): void {
    this.#fail(reason, { locked: hadContainers });
  }

  /** A container exited by itself. If that happens too often, it is not started again and the service has failed. */
  noteEnding(at: Date): void {
    const endings = withEnding(this.#state.endings, at);
    this.#change({ endings });
    if (endsTooOften(endings, at)) this.#fail(this.#restartsExhausted('Its containers exited too often.', at));
  }

  /** A container used up its restart policy, so the engine no longer starts it. */
  engineGaveUp(at: Date): void {
    this.#fail(this.#restartsExhausted('A container used up the retries of its restart policy.', at));
  }

  /** Restores the status of an action that was accepted while another operation was running and changed the status. */
  keepStatus(status: ServiceState['status']): void {
    this.#change({ status });
  }

  /** Clears `startedAt`, since it is no longer known whether the containers run. */
  #fail(statusReason: StatusReason, change: Partial<ServiceState> = {}): void {
    this.#change({ ...change, status: 'error', settledStatus: 'error', statusReason, startedAt: null });
  }

  #restartsExhausted(message: string, at: Date): StatusReason {
    return { code: 'restarts_exhausted', message, deploymentId: this.#state.currentDeploymentId, at };
  }

  #change(change: Partial<ServiceState>): void {
    this.#state = { ...this.#state, ...change };
  }
}
