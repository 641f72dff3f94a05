import { Injectable } from '@nestjs/common';
import { Conflict, NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { errorMessage } from '../../domain/deploying/deploy-failure.js';
import { isCancellable, type Deployment, type DeploymentActor } from '../../domain/deploying/deployment.js';
import { OrganisationScope } from '../../domain/organisation-scope.js';
import { decide, DESIRED_BY, STATUS_WHILE, type ServiceAction } from '../../domain/service-actions.js';
import type { Service, ServiceStatus } from '../../domain/service.js';
import { ActionRefused } from '../../domain/services-errors.js';
import type { OpenOperations } from '../ports/deployment-repository.js';
import { Dispatch } from '../deploying/dispatch.js';
import { ServiceRecords, THE_PANEL } from '../service-records.js';

export interface AcceptedAction {
  readonly serviceId: Uuid;
  /** Null when there was nothing to do. */
  readonly deploymentId: Uuid | null;
  readonly status: ServiceStatus;
}

/** These do not wait behind an operation that waits already: they take its place. */
const OVERRULING: ReadonlySet<ServiceAction> = new Set(['suspend', 'remove'] as const);

/** Accepts what is to be done with a service. What is accepted is stored, and carried out by a worker. */
@Injectable()
export class ServiceControl {
  constructor(
    private readonly records: ServiceRecords,
    private readonly dispatch: Dispatch,
  ) {}

  /**
   * @param reason why the panel does it by itself, as `errorMessage` of the deployment
   * @throws NotFound; ActionRefused by the table of section 5
   */
  async act(
    scope: OrganisationScope,
    serviceId: Uuid,
    action: Exclude<ServiceAction, 'rollback'>,
    actor: DeploymentActor,
    reason: string | null = null,
  ): Promise<AcceptedAction> {
    return this.schedule(scope, serviceId, action, { actor, reason }, () => Promise.resolve(null));
  }

  /**
   * Restarts a service that runs, by the panel itself, and never beside or behind another operation.
   * @throws NotFound; ActionRefused
   */
  async restartAtRest(serviceId: Uuid, reason: string): Promise<AcceptedAction> {
    const given = { actor: THE_PANEL, reason };
    return this.schedule(OrganisationScope.all, serviceId, 'restart', given, async () => {
      const service = await this.records.services.get(OrganisationScope.all, serviceId);
      const { queued, running } = await this.records.deployments.open(serviceId);
      if (service?.status !== 'running' || queued || running) throw new ActionRefused('deployment_in_progress');
      return null;
    });
  }

  /** @throws NotFound also for a deployment that is not the service's; Conflict when it never served */
  async rollback(
    scope: OrganisationScope,
    serviceId: Uuid,
    deploymentId: Uuid,
    actor: DeploymentActor,
  ): Promise<AcceptedAction> {
    return this.schedule(scope, serviceId, 'rollback', { actor, reason: null }, async () => {
      const source = await this.records.deployments.get(scope, deploymentId);
      if (source?.serviceId !== serviceId) throw new NotFound();
      if (source.provenAt === null) throw new Conflict('invalid_state', 'That deployment never served.');
      return source;
    });
  }

  /** Gives up an operation that waits or runs. @throws NotFound; Conflict when it is over or must be carried through */
  async cancel(scope: OrganisationScope, deploymentId: Uuid): Promise<Deployment> {
    const { services, deployments, transactions } = this.records;
    return transactions.run(async () => {
      const seen = await deployments.get(scope, deploymentId);
      const service = seen && (await services.getForUpdate(scope, seen.serviceId));
      const deployment = service && (await deployments.get(scope, deploymentId));
      if (!service || !deployment) throw new NotFound();
      if (!isCancellable(deployment)) throw new Conflict('invalid_state', 'The deployment cannot be cancelled.');
      if (deployment.status === 'running') {
        const requested: Deployment = { ...deployment, cancelRequested: true };
        await deployments.update(requested);
        return requested;
      }
      const cancelled = this.ended(deployment, 'cancelled', 'It was cancelled before it began.');
      await deployments.update(cancelled);
      const { running } = await deployments.open(service.id);
      if (!running) await services.update({ ...service, status: service.settledStatus ?? 'error' });
      return cancelled;
    });
  }

  private async schedule(
    scope: OrganisationScope,
    serviceId: Uuid,
    action: ServiceAction,
    { actor, reason }: { readonly actor: DeploymentActor; readonly reason: string | null },
    sourceOf: () => Promise<Deployment | null>,
  ): Promise<AcceptedAction> {
    const { services, deployments, transactions } = this.records;
    const accepted = await transactions.run(async (): Promise<AcceptedAction> => {
      const service = await services.getForUpdate(scope, serviceId);
      if (!service) throw new NotFound();
      const source = await sourceOf();
      const decision = decide(action, service);
      if (decision.kind === 'refuse') throw new ActionRefused(decision.code);
      const open = await deployments.open(serviceId);
      // A removal that failed left nothing under way: asked for again, it is tried again.
      const isUnderWay = action !== 'remove' || open.queued !== null || open.running?.trigger === 'remove';
      if (decision.kind === 'nothing' && isUnderWay) {
        return { serviceId, deploymentId: null, status: service.status };
      }
      const identical = this.identical(action, open, decision.kind === 'join');
      if (identical) return { serviceId, deploymentId: identical.id, status: STATUS_WHILE[action] ?? service.status };
      if (decision.kind === 'join') throw new ActionRefused('deployment_in_progress');
      if (action === 'unsuspend' && service.desiredState === 'stopped') return this.unsuspendStopped(service, open);
      await this.makeRoom(action, open);
      const version = source?.specVersion ?? service.specVersion;
      const deployment = this.records.newDeployment(
        { id: serviceId, specVersion: version },
        action,
        actor,
        source?.id ?? null,
      );
      await deployments.insert({ ...deployment, errorMessage: reason });
      await services.update(this.announced(service, action, open));
      return { serviceId, deploymentId: deployment.id, status: STATUS_WHILE[action] ?? service.status };
    });
    if (accepted.deploymentId) this.dispatch.send(accepted.deploymentId);
    return accepted;
  }

  /** The operation that the caller asks for once more. */
  private identical(action: ServiceAction, { queued, running }: OpenOperations, joins: boolean): Deployment | null {
    if (queued?.trigger === action && action !== 'rollback') return queued;
    return joins && running?.trigger === action ? running : null;
  }

  /** One operation runs and one waits, never more. */
  private async makeRoom(action: ServiceAction, { queued, running }: OpenOperations): Promise<void> {
    if (queued && !OVERRULING.has(action)) throw new ActionRefused('deployment_in_progress');
    const text = action === 'remove' ? 'The service is being removed.' : 'The service is being suspended.';
    if (queued) await this.records.deployments.update(this.ended(queued, 'superseded', text));
    if (action === 'remove' && running) await this.records.deployments.update({ ...running, cancelRequested: true });
  }

  /** A suspension and a removal are seen at once; other statuses change when the operation before is over. */
  private announced(service: Service, action: ServiceAction, { running, queued }: OpenOperations): Service {
    const suspended = action === 'suspend' || (service.suspended && action !== 'unsuspend');
    const isSeen = running === null || OVERRULING.has(action);
    const status = isSeen ? (STATUS_WHILE[action] ?? service.status) : service.status;
    // What was accepted and gives way to a suspension counts when that ends.
    const desiredState = (queued && DESIRED_BY[queued.trigger]) ?? service.desiredState;
    return { ...service, suspended, status, desiredState, updatedAt: this.records.clock.now() };
  }

  /** Its containers are stopped and stay so: nothing has to be done on the engine. */
  private async unsuspendStopped(service: Service, { running }: OpenOperations): Promise<AcceptedAction> {
    const status = running ? service.status : 'stopped';
    const settledStatus = running ? service.settledStatus : 'stopped';
    const updatedAt = this.records.clock.now();
    await this.records.services.update({ ...service, suspended: false, status, settledStatus, updatedAt });
    return { serviceId: service.id, deploymentId: null, status: 'stopped' };
  }

  private ended(deployment: Deployment, status: 'cancelled' | 'superseded', text: string): Deployment {
    return {
      ...deployment,
      status,
      errorMessage: errorMessage('cancelled', text),
      finishedAt: this.records.clock.now(),
    };
  }
}
