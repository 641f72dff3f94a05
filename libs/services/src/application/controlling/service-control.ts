import { Injectable } from '@nestjs/common';
import { Conflict, NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { Deployment } from '../../domain/deploying/deployment.js';
import type { DeploymentActor, DeploymentState } from '../../domain/deploying/deployment-state.js';
import { OrganisationScope } from '../../domain/organisation-scope.js';
import { OVERRULING, STATUS_WHILE, type ServiceAction } from '../../domain/service-actions.js';
import type { ServiceStatus } from '../../domain/service-state.js';
import type { Service } from '../../domain/service.js';
import { ActionRefused } from '../../domain/services-errors.js';
import type { OpenOperations } from '../ports/deployment-repository.js';
import { Dispatch } from '../deploying/dispatch.js';
import { ServiceRecords, THE_PANEL } from '../service-records.js';

export interface AcceptedAction {
  readonly serviceId: Uuid;
  /** Null when there was nothing to do. */
  readonly deploymentId: Uuid | null;
  readonly status: ServiceStatus;
  /** It was done at once, without a worker; false for a deployment, and where there was nothing to do. */
  readonly isDone: boolean;
}

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
    action: Exclude<ServiceAction, 'update' | 'rollback'>,
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
      if (service?.state.status !== 'running' || queued || running) throw new ActionRefused('deployment_in_progress');
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
      if (!source.progress.proven) throw new Conflict('invalid_state', 'That deployment never served.');
      return source;
    });
  }

  /** Gives up an operation that waits or runs. @throws NotFound; Conflict when it is over or must be carried through */
  async cancel(scope: OrganisationScope, deploymentId: Uuid): Promise<DeploymentState> {
    const { services, deployments, transactions, clock } = this.records;
    return transactions.run(async () => {
      const seen = await deployments.get(scope, deploymentId);
      const service = seen && (await services.getForUpdate(scope, seen.serviceId));
      const deployment = service && (await deployments.get(scope, deploymentId));
      if (!service || !deployment) throw new NotFound();
      deployment.cancel(clock.now());
      await deployments.update(deployment);
      const { running } = await deployments.open(service.id);
      if (!running) {
        service.returnToRest();
        await services.update(service);
      }
      return deployment.state;
    });
  }

  private async schedule(
    scope: OrganisationScope,
    serviceId: Uuid,
    action: ServiceAction,
    { actor, reason }: { readonly actor: DeploymentActor; readonly reason: string | null },
    sourceOf: () => Promise<Deployment | null>,
  ): Promise<AcceptedAction> {
    const { services, deployments, transactions, clock, randomness } = this.records;
    const accepted = await transactions.run(async (): Promise<AcceptedAction> => {
      const service = await services.getForUpdate(scope, serviceId);
      if (!service) throw new NotFound();
      const source = await sourceOf();
      const decision = service.decide(action);
      if (decision.kind === 'refuse') throw new ActionRefused(decision.code);
      const open = await deployments.open(serviceId);
      const { status, desiredState, specVersion } = service.state;
      const promised = STATUS_WHILE[action] ?? status;
      // A removal that failed left nothing under way: asked for again, it is tried again.
      const isUnderWay = action !== 'remove' || open.queued !== null || open.running?.trigger === 'remove';
      if (decision.kind === 'nothing' && isUnderWay) return { serviceId, deploymentId: null, status, isDone: false };
      const identical = this.identical(action, open, decision.kind === 'join');
      if (identical) return { serviceId, deploymentId: identical.id, status: promised, isDone: false };
      if (decision.kind === 'join') throw new ActionRefused('deployment_in_progress');
      if (action === 'unsuspend' && desiredState === 'stopped') return this.unsuspendStopped(service, open);
      await this.makeRoom(action, open);
      const deployment = Deployment.queue({
        id: randomness.uuid(),
        serviceId,
        trigger: action,
        actor,
        specVersion: source?.state.specVersion ?? specVersion,
        sourceDeploymentId: source?.id ?? null,
        errorMessage: reason,
        createdAt: clock.now(),
      });
      await deployments.insert(deployment);
      service.accept(action, { free: open.running === null, superseded: open.queued?.trigger ?? null });
      await services.update(service);
      return { serviceId, deploymentId: deployment.id, status: promised, isDone: false };
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
    const { deployments, clock } = this.records;
    if (queued && !OVERRULING.has(action)) throw new ActionRefused('deployment_in_progress');
    if (queued) {
      const text = action === 'remove' ? 'The service is being removed.' : 'The service is being suspended.';
      queued.supersede(text, clock.now());
      await deployments.update(queued);
    }
    if (action === 'remove' && running) {
      running.requestCancellation();
      await deployments.update(running);
    }
  }

  private async unsuspendStopped(service: Service, { running }: OpenOperations): Promise<AcceptedAction> {
    service.unsuspendStopped({ free: running === null });
    await this.records.services.update(service);
    return { serviceId: service.id, deploymentId: null, status: 'stopped', isDone: true };
  }
}
