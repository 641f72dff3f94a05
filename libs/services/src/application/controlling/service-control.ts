import { Injectable } from '@nestjs/common';
import { Conflict, NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Deployment } from '../../domain/deploying/deployment.js';
import type { DeploymentActor, DeploymentState } from '../../domain/deploying/deployment-state.js';
import { OrganisationScope } from '../../domain/organisation-scope.js';
import type { ServiceAction } from '../../domain/service-actions.js';
import { ActionRefused } from '../../domain/services-errors.js';
import { Acceptance, type AcceptedAction } from './acceptance.js';
import { Dispatch } from '../deploying/dispatch.js';
import { ServiceRecords, THE_PANEL } from '../service-records.js';
import { TemplateVersions } from '../templates/template-versions.js';

/** Accepts actions on services. Accepted actions are stored and carried out by a worker. */
@Injectable()
export class ServiceControl {
  constructor(
    private readonly records: ServiceRecords,
    private readonly acceptance: Acceptance,
    private readonly dispatch: Dispatch,
    private readonly versions: TemplateVersions,
  ) {}

  /**
   * @param reason why the panel itself requests it; becomes `errorMessage` of the deployment
   * @throws NotFound; ActionRefused by the table of section 5; Conflict for a database whose image is of another series
   */
  async act(
    scope: OrganisationScope,
    serviceId: Uuid,
    action: Exclude<ServiceAction, 'update' | 'rollback'>,
    actor: DeploymentActor,
    reason: string | null = null,
  ): Promise<AcceptedAction> {
    if (action === 'redeploy') await this.versions.assertRedeployable(scope, serviceId);
    return this.schedule(scope, serviceId, action, { actor, reason }, () => Promise.resolve(null));
  }

  /**
   * Restarts a running service on behalf of the panel, unless another operation is waiting or running.
   * @throws NotFound; ActionRefused
   */
  async restartAtRest(serviceId: Uuid, reason: string): Promise<AcceptedAction> {
    const given = { actor: THE_PANEL, reason };
    return this.schedule(OrganisationScope.everything, serviceId, 'restart', given, async () => {
      const service = await this.records.services.get(OrganisationScope.everything, serviceId);
      const { queued, running } = await this.records.deployments.open(serviceId);
      if (service?.state.status !== 'running' || queued || running) throw new ActionRefused('deployment_in_progress');
      return null;
    });
  }

  /** @throws NotFound, also for a deployment of another service; Conflict if the deployment never succeeded */
  async rollback(
    scope: OrganisationScope,
    serviceId: Uuid,
    deploymentId: Uuid,
    actor: DeploymentActor,
  ): Promise<AcceptedAction> {
    return this.schedule(scope, serviceId, 'rollback', { actor, reason: null }, async () => {
      const source = await this.records.deployments.get(scope, deploymentId);
      if (source?.serviceId !== serviceId) throw new NotFound();
      if (!source.progress.proven) throw new Conflict('invalid_state', 'That deployment never succeeded.');
      return source;
    });
  }

  /** Cancels a waiting or running operation. @throws NotFound; Conflict if it has ended or cannot be cancelled */
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
        const message = 'The operation was cancelled before it began.';
        service.returnToRest({ code: 'cancelled', message, deploymentId, at: clock.now() });
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
    const { services, deployments, transactions } = this.records;
    const accepted = await transactions.run(async (): Promise<AcceptedAction> => {
      const service = await services.getForUpdate(scope, serviceId);
      if (!service) throw new NotFound();
      const source = await sourceOf();
      const version = source ? { specVersion: source.state.specVersion, sourceDeploymentId: source.id } : {};
      const open = await deployments.open(serviceId);
      return this.acceptance.accept(service, { action, actor, reason, ...version }, open);
    });
    if (accepted.deploymentId) this.dispatch.send(accepted.deploymentId);
    return accepted;
  }
}
