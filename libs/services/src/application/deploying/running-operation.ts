import { DeployFailure } from '../../domain/deploying/deploy-failure.js';
import { Deployment } from '../../domain/deploying/deployment.js';
import type { DeploymentState } from '../../domain/deploying/deployment-state.js';
import type { StepName } from '../../domain/deploying/deploy-plan.js';
import { OrganisationScope } from '../../domain/organisation-scope.js';
import { HandedOver, LeaseLost } from '../../domain/services-errors.js';
import type { ServiceState } from '../../domain/service-state.js';
import type { Service } from '../../domain/service.js';
import type { Operation } from '../ports/engine/container-runtime.js';
import type { NewLogLine } from '../ports/deployment-log.js';
import type { Claim, OperationLedger } from '../ports/operation-ledger.js';
import type { ServiceRecords } from '../service-records.js';

/** Changes the current service, the deployment or both, under the lock. */
export type Change = (service: Service, deployment: Deployment) => void;

/**
 * A deployment that this worker is executing. It renews the lease, checks it before every call to the engine, and
 * writes only while holding it. So a worker that was frozen and wakes up late changes nothing.
 */
export class RunningOperation {
  readonly #work = new AbortController();
  readonly #lease = new AbortController();
  readonly #timer: NodeJS.Timeout;

  /** For work that can be cancelled: aborted if the deployment is cancelled or the lease is lost. */
  readonly operation: Operation;
  /** For rollbacks, which a cancellation does not abort. */
  readonly undo: Operation;

  constructor(
    private readonly claim: Claim,
    private readonly ledger: OperationLedger,
    private readonly records: ServiceRecords,
    private readonly leaseMs: number,
    /** Redacts secrets from the quote of a failure. */
    private readonly cleaned: (failure: DeployFailure, deployment: Deployment) => Promise<DeployFailure>,
  ) {
    this.operation = { guard: () => this.guard(true), signal: this.#work.signal };
    this.undo = { guard: () => this.guard(false), signal: this.#lease.signal };
    this.#timer = setInterval(() => void this.renew(), leaseMs / 4);
    this.#timer.unref();
    this.#deployment = claim.deployment;
    this.#stored = claim.deployment.state;
  }

  #lines: NewLogLine[] = [];
  #deployment: Deployment;
  #stored: DeploymentState;

  /** The deployment as last written. Only `write` changes it. */
  get deployment(): Deployment {
    return this.#deployment;
  }

  /** Runs one step and records it. @throws the error of `work`, after recording the step as failed */
  async step<T>(name: StepName, work: () => Promise<T>): Promise<T> {
    const { clock } = this.records;
    await this.write((_, deployment) => deployment.beginStep(name, clock.now()));
    try {
      const result = await work();
      this.endStep(name, null);
      return result;
    } catch (error) {
      const failure = DeployFailure.of(error);
      if (!failure) throw error;
      const clean = failure.quote === null ? failure : await this.cleaned(failure, this.#deployment);
      this.endStep(name, clean);
      throw clean;
    }
  }

  /** Adds a line to the log of the deployment. It is stored with the next write, or shortly after. */
  log(text: string, given: Partial<Pick<NewLogLine, 'at' | 'source' | 'container'>> = {}): void {
    const step = this.#deployment.state.steps.at(-1)?.name ?? 'validate';
    this.#lines.push({ at: this.records.clock.now(), step, source: 'panel', container: null, ...given, text });
  }

  /** Stores the log so far, for subscribers. @throws LeaseLost */
  async flushLog(): Promise<void> {
    if (this.#lines.length > 0) await this.ledger.whileHeld(this.claim.lease, () => this.storeLog());
  }

  /** @returns the service as written @throws LeaseLost */
  write(change: Change): Promise<ServiceState> {
    const { services, deployments } = this.records;
    return this.ledger.whileHeld(this.claim.lease, async () => {
      const service = await services.getForUpdate(OrganisationScope.everything, this.claim.lease.serviceId);
      if (!service) throw new LeaseLost();
      const before = service.state;
      const deployment = Deployment.restore(this.#deployment.state);
      change(service, deployment);
      // The end of a step is written together with the next change.
      if (deployment.state !== this.#stored) await deployments.update(deployment);
      if (service.state !== before) {
        if (await this.isOverruled(before)) service.keepStatus(before.status);
        await services.update(service);
      }
      if (deployment.state.finishedAt !== null) await this.releasePorts(service);
      await this.storeLog();
      this.#deployment = deployment;
      this.#stored = deployment.state;
      return service.state;
    });
  }

  /** Deletes the service with everything that belongs to it, including this deployment. */
  deleteService(): Promise<void> {
    return this.ledger.whileHeld(this.claim.lease, () => this.records.services.delete(this.claim.lease.serviceId));
  }

  /** Starts nothing more. Pending calls to the engine are aborted with `HandedOver`. */
  handOver(): void {
    const reason = new HandedOver();
    this.#work.abort(reason);
    this.#lease.abort(reason);
  }

  /** Stops renewing the lease. It is held until it runs out. */
  end(): void {
    clearInterval(this.#timer);
  }

  release(): Promise<void> {
    return this.ledger.release(this.claim.lease);
  }

  /** Runs in the current transaction. */
  private async storeLog(): Promise<void> {
    const lines = this.#lines;
    this.#lines = [];
    await this.records.log.append(this.claim.lease.deploymentId, lines);
  }

  /** Releases host ports that the current version does not publish, unless a waiting operation may need them. */
  private async releasePorts({ id, state: { currentDeploymentId, portMappings } }: Service): Promise<void> {
    if (currentDeploymentId === null || (await this.records.deployments.open(id)).queued) return;
    await this.records.services.releaseOtherPorts(id, portMappings);
  }

  /** Whether a removal or suspension was accepted in the meantime. Its status must not be overwritten. */
  private async isOverruled({ id, status, suspended }: ServiceState): Promise<boolean> {
    if (status === 'removing') return true;
    if (status !== 'stopping' || !suspended) return false;
    const { queued } = await this.records.deployments.open(id);
    return queued?.trigger === 'suspend';
  }

  /**
   * Not stored at once: every step is followed by a write, at the start of the next step or the end of the deployment.
   */
  private endStep(name: StepName, failure: DeployFailure | null): void {
    this.#deployment = Deployment.restore(this.#deployment.state);
    this.#deployment.endStep(name, failure, this.records.clock.now());
    this.log(failure ? `${name} failed: ${failure.errorMessage}` : `${name}: done`);
  }

  private async guard(heedsCancel: boolean): Promise<void> {
    const { cancelRequested } = await this.ledger.check(this.claim.lease);
    if (heedsCancel && cancelRequested) throw cancelled();
  }

  /** Other errors are ignored, since the renewal is retried. If the lease runs out, the guard reports it. */
  private async renew(): Promise<void> {
    try {
      const { cancelRequested } = await this.ledger.renew(this.claim.lease, this.leaseMs);
      if (cancelRequested) this.#work.abort(cancelled());
      await this.flushLog();
    } catch (error) {
      if (!(error instanceof LeaseLost)) return;
      this.#work.abort(error);
      this.#lease.abort(error);
    }
  }
}

function cancelled(): DeployFailure {
  return new DeployFailure('cancelled', 'It was cancelled.');
}
