import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { DeployFailure, reasonOf } from '../../domain/deploying/deploy-failure.js';
import type { Deployment } from '../../domain/deploying/deployment.js';
import { OrganisationScope } from '../../domain/organisation-scope.js';
import { worksWhenLocked } from '../../domain/service-actions.js';
import type { ServiceState } from '../../domain/service-state.js';
import { HandedOver, LeaseLost } from '../../domain/services-errors.js';
import { GroupControl } from '../controlling/group-control.js';
import { Evidence } from './evidence.js';
import { GroupDeployment } from './group-deployment.js';
import { GroupReversal } from './group-reversal.js';
import { OperationLedger } from '../ports/operation-ledger.js';
import { RunningOperation } from './running-operation.js';
import { ServiceRecords } from '../service-records.js';
import { MAX_ATTEMPTS, ServicesSettings } from '../settings.js';

/** Executes deployments in the worker, one at a time per service. */
@Injectable()
export class DeployRunner implements OnModuleDestroy {
  private readonly running = new Set<RunningOperation>();
  private ending = false;

  constructor(
    private readonly ledger: OperationLedger,
    private readonly records: ServiceRecords,
    private readonly deployment: GroupDeployment,
    private readonly control: GroupControl,
    private readonly reversal: GroupReversal,
    private readonly evidence: Evidence,
    private readonly settings: ServicesSettings,
  ) {}

  /** Called at shutdown. Does not wait for pulls and health checks: the next worker continues. */
  onModuleDestroy(): void {
    this.ending = true;
    for (const run of this.running) run.handOver();
  }

  /**
   * Executes all open operations of the deployment's service: the one of a dead worker, this one, and those accepted in
   * the meantime. Concurrent calls for one deployment execute it once.
   * @throws unexpected errors, such as a lost database connection; the deployment is then retried
   */
  async run(deploymentId: Uuid): Promise<void> {
    const asked = await this.records.deployments.get(OrganisationScope.everything, deploymentId);
    if (!asked) return;
    const { lease } = this.settings.times;
    while (!this.ending) {
      const claim = await this.ledger.claim(asked.serviceId, lease, this.records.clock.now());
      if (!claim) return;
      const run = new RunningOperation(claim, this.ledger, this.records, lease, (failure, deployment) =>
        this.evidence.cleaned(failure, deployment),
      );
      this.running.add(run);
      try {
        if (!(await this.carryOut(run))) return;
      } catch (error) {
        // Another worker has taken over.
        if (error instanceof LeaseLost) return;
        if (!(error instanceof HandedOver)) throw error;
      } finally {
        run.end();
        this.running.delete(run);
      }
      await run.release();
    }
  }

  /** @returns false if it must be retried later */
  private async carryOut(run: RunningOperation): Promise<boolean> {
    const { trigger, attempts, committedAt } = run.deployment.state;
    const service = await run.write((begun, deployment) => {
      begun.begin(trigger);
      deployment.begin(begun.state.specVersion);
    });
    try {
      if (attempts > MAX_ATTEMPTS && trigger !== 'remove') {
        const failure = new DeployFailure('interrupted', 'The deployment was interrupted too many times.');
        if (committedAt === null) throw failure;
        await this.reversal.carryOut(run, failure);
        return true;
      }
      // It was accepted before the operation that locked the service had ended.
      if (service.locked && !worksWhenLocked(trigger))
        throw new DeployFailure('cancelled', 'The service is locked until it is reconciled.');
      await this.dispatch(run, service);
      return true;
    } catch (error) {
      const failure = DeployFailure.of(error);
      if (!failure) throw error;
      if (trigger === 'remove' && failure.code === 'docker_unavailable') return this.postpone(run, failure);
      await this.fail(run, failure, service);
      return true;
    }
  }

  private async dispatch(run: RunningOperation, service: ServiceState): Promise<void> {
    const { trigger } = run.deployment;
    switch (trigger) {
      case 'create':
      case 'update':
      case 'redeploy':
      case 'git':
      case 'push':
      case 'template':
      case 'analysis':
      case 'restore':
      case 'clone':
        return this.deployment.carryOut(run, service, null);
      case 'rollback':
        return this.deployment.carryOut(run, service, await this.sourceOf(run));
      case 'start':
      case 'unsuspend':
        return this.control.run(run, service, { stopFirst: false });
      case 'restart':
        return this.control.run(run, service, { stopFirst: true });
      case 'stop':
      case 'suspend':
        return this.control.stop(run, service);
      case 'reconcile':
        return this.control.reconcile(run, service);
      case 'remove':
        return this.control.remove(run, service);
    }
  }

  private async sourceOf({ deployment }: RunningOperation): Promise<Deployment> {
    const id = deployment.state.sourceDeploymentId;
    const source = id && (await this.records.deployments.get(OrganisationScope.everything, id));
    if (!source?.topology) throw new DeployFailure('validation_failed', 'The earlier deployment no longer exists.');
    return source;
  }

  /** Deployments fail here only before their commit point. Starts and stops may have been carried out in part. */
  private async fail(run: RunningOperation, failure: DeployFailure, service: ServiceState): Promise<void> {
    const { isUntouched: untouched, trigger } = run.deployment;
    // A cancelled start or restart may be half done: restore the previous state.
    const wasWell = service.settledStatus === 'running' || service.settledStatus === 'stopped';
    if (!untouched && trigger !== 'remove') await this.evidence.keep(run);
    if (failure.code === 'cancelled' && !untouched && wasWell) return this.reversal.carryOut(run, failure);
    await run.write((failed, deployment) => {
      const at = this.records.clock.now();
      const reason = reasonOf(failure, deployment.id, at);
      failed.operationFailed({ untouched, lock: trigger === 'remove', reason });
      deployment.fail(failure, at);
    });
  }

  /** A removal never fails for lack of an engine: it is retried until the engine is back. */
  private async postpone(run: RunningOperation, failure: DeployFailure): Promise<false> {
    await run.write((_, deployment) => deployment.postpone(failure));
    return false;
  }
}
