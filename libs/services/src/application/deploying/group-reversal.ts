import { Injectable } from '@nestjs/common';
import { DeployFailure, reasonOf } from '../../domain/deploying/deploy-failure.js';
import type { Deployment } from '../../domain/deploying/deployment.js';
import { OrganisationScope } from '../../domain/organisation-scope.js';
import { stateBefore, wantedState, type DesiredState, type ServiceState } from '../../domain/service-state.js';
import type { Service } from '../../domain/service.js';
import { GroupOperator } from '../controlling/group-operator.js';
import { IngressRoutes } from '../domains/ingress-routes.js';
import type { RunningOperation } from './running-operation.js';
import { ServiceRecords } from '../service-records.js';

/** Restores the previous containers after a failed deployment. */
@Injectable()
export class GroupReversal {
  constructor(
    private readonly operator: GroupOperator,
    private readonly routes: IngressRoutes,
    private readonly records: ServiceRecords,
  ) {}

  /** Fails the deployment and restores the previous containers. If that fails too, the service is locked. */
  async carryOut(run: RunningOperation, failure: DeployFailure): Promise<void> {
    const service = await run.write(() => undefined);
    // A removal or suspension is waiting, which handles the containers itself.
    if (service.status === 'removing') return this.end(run, failure, () => undefined);
    const previous = service.currentDeploymentId
      ? await this.records.deployments.get(OrganisationScope.everything, service.currentDeploymentId)
      : null;
    const desiredState = stateBefore(service);
    const reason = reasonOf(failure, run.deployment.id, this.records.clock.now());
    try {
      await run.step('revert', () => this.bringBack(run, service, previous, desiredState));
    } catch (error) {
      if (!DeployFailure.of(error)) throw error;
      const hadContainers = previous !== null;
      return this.end(run, failure, (service) => service.couldNotBeReverted({ hadContainers, reason }));
    }
    if (!previous) return this.end(run, failure, (service) => service.leftWithoutContainers(reason));
    const restartedAt = hadStopped(run.deployment) ? this.records.clock.now() : null;
    return this.end(run, failure, (service) => service.reverted(desiredState, restartedAt), { reverted: true });
  }

  private async bringBack(
    run: RunningOperation,
    service: ServiceState,
    previous: Deployment | null,
    desiredState: DesiredState,
  ): Promise<void> {
    const state = wantedState({ desiredState, suspended: service.suspended });
    const group = { deploymentId: previous?.id ?? null, topology: previous?.topology ?? null };
    await this.operator.make({ serviceId: service.id, ...group, state, repeatOneShots: false }, run.undo);
    if (state === 'stopped') return;
    const standing = await this.operator.standing(service.id, run.undo.signal);
    const down = previous?.topology?.members.filter(
      ({ role, oneShot }) => !oneShot && !standing.some((container) => container.role === role && container.isUp),
    );
    // Restarted containers may have new addresses.
    await this.routes.trySyncService(service.id);
    if (!down || down.length === 0) return;
    const roles = down.map(({ role }) => role).join(', ');
    throw new DeployFailure('container_start_failed', `Previous containers could not be started again: ${roles}.`);
  }

  private async end(
    run: RunningOperation,
    failure: DeployFailure,
    change: (service: Service) => void,
    { reverted } = { reverted: false },
  ): Promise<void> {
    await run.write((service, deployment) => {
      change(service);
      deployment.fail(failure, this.records.clock.now(), { reverted });
    });
  }
}

/** Whether the current containers were stopped in the meantime. */
function hadStopped({ trigger, state }: Deployment): boolean {
  return trigger === 'restart' || state.steps.some(({ name }) => name === 'retire');
}
