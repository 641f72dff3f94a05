import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { Deployment } from '../../domain/deploying/deployment.js';
import type { DeploymentActor, DeploymentTrigger } from '../../domain/deploying/deployment-state.js';
import { OVERRULING, STATUS_WHILE, type ServiceAction } from '../../domain/service-actions.js';
import type { ServiceStatus } from '../../domain/service-state.js';
import type { Service } from '../../domain/service.js';
import { ActionRefused } from '../../domain/services-errors.js';
import type { OpenOperations } from '../ports/deployment-repository.js';
import { ServiceRecords } from '../service-records.js';

export interface AcceptedAction {
  readonly serviceId: Uuid;
  /** Null if there was nothing to do. */
  readonly deploymentId: Uuid | null;
  readonly status: ServiceStatus;
  /** True if the action was completed at once, without a worker. */
  readonly isDone: boolean;
}

export interface RequestedAction {
  readonly action: ServiceAction;
  readonly actor: DeploymentActor;
  /** The trigger in the record of the deployment. Defaults to the action. */
  readonly trigger?: DeploymentTrigger;
  /** The reason, if the panel itself requested the action. */
  readonly reason?: string | null;
  /** The version to deploy. Defaults to the current one. */
  readonly specVersion?: number;
  readonly sourceDeploymentId?: Uuid | null;
}

/** Decides whether an action on a service is accepted, and stores the deployment that will carry it out. */
@Injectable()
export class Acceptance {
  constructor(private readonly records: ServiceRecords) {}

  /**
   * Runs in the current transaction, which must hold the lock of the service.
   * @throws ActionRefused by the table of section 5
   */
  async accept(service: Service, request: RequestedAction, open: OpenOperations): Promise<AcceptedAction> {
    const { action } = request;
    const serviceId = service.id;
    this.assertAllowed(service, action);
    const decision = service.decide(action);
    const { status, desiredState } = service.state;
    const promised = STATUS_WHILE[action] ?? status;
    // A failed removal has no open deployment, so requesting it again retries it.
    const isUnderWay = action !== 'remove' || open.queued !== null || open.running?.trigger === 'remove';
    if (decision.kind === 'nothing' && isUnderWay) return { serviceId, deploymentId: null, status, isDone: false };
    const identical = this.identical(action, open, decision.kind === 'join');
    if (identical) return { serviceId, deploymentId: identical.id, status: promised, isDone: false };
    if (decision.kind === 'join') throw new ActionRefused('deployment_in_progress');
    if (action === 'unsuspend' && desiredState === 'stopped') return this.unsuspendStopped(service, open);
    await this.makeRoom(action, open);
    const deploymentId = await this.queue(service, request);
    service.accept(action, { free: open.running === null, superseded: open.queued?.trigger ?? null });
    await this.records.services.update(service);
    return { serviceId, deploymentId, status: promised, isDone: false };
  }

  /** @throws ActionRefused */
  assertAllowed(service: Service, action: ServiceAction): void {
    const decision = service.decide(action);
    if (decision.kind === 'refuse') throw new ActionRefused(decision.code);
  }

  /**
   * The waiting operation that is identical to the requested one. Edits and rollbacks always differ from each other.
   */
  private identical(action: ServiceAction, { queued, running }: OpenOperations, joins: boolean): Deployment | null {
    if (queued?.trigger === action && action !== 'rollback' && action !== 'update') return queued;
    return joins && running?.trigger === action ? running : null;
  }

  /** At most one operation runs and one waits. Of two edits the last one wins. */
  private async makeRoom(action: ServiceAction, { queued, running }: OpenOperations): Promise<void> {
    const { deployments, clock } = this.records;
    if (queued) {
      const isNewerEdit = action === 'update' && EDITS.has(queued.trigger);
      if (!OVERRULING.has(action) && !isNewerEdit) throw new ActionRefused('deployment_in_progress');
      queued.supersede(SUPERSEDED_BY[action] ?? 'A newer version replaced it.', clock.now());
      await deployments.update(queued);
    }
    if (action === 'remove' && running) {
      running.requestCancellation();
      await deployments.update(running);
    }
  }

  private async queue(service: Service, request: RequestedAction): Promise<Uuid> {
    const { action, actor, trigger = action, reason = null, specVersion, sourceDeploymentId = null } = request;
    const deployment = Deployment.queue({
      id: this.records.randomness.uuid(),
      serviceId: service.id,
      trigger,
      actor,
      specVersion: specVersion ?? service.state.specVersion,
      sourceDeploymentId,
      errorMessage: reason,
      createdAt: this.records.clock.now(),
    });
    await this.records.deployments.insert(deployment);
    return deployment.id;
  }

  /** The containers are stopped and stay stopped, so the engine has nothing to do. */
  private async unsuspendStopped(service: Service, { running }: OpenOperations): Promise<AcceptedAction> {
    service.unsuspendStopped({ free: running === null });
    await this.records.services.update(service);
    return { serviceId: service.id, deploymentId: null, status: 'stopped', isDone: true };
  }
}

/** A waiting edit is replaced by a newer one, because the newer one includes it. */
const EDITS: ReadonlySet<DeploymentTrigger> = new Set(['update', 'push', 'git'] as const);

const SUPERSEDED_BY: Readonly<Partial<Record<ServiceAction, string>>> = {
  remove: 'The service is being removed.',
  suspend: 'The service is being suspended.',
};
