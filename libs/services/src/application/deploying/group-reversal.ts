import { Injectable } from '@nestjs/common';
import { DeployFailure } from '../../domain/deploying/deploy-failure.js';
import type { Deployment } from '../../domain/deploying/deployment.js';
import { OrganisationScope } from '../../domain/organisation-scope.js';
import { FAILED, restingStatus, wantedState, type DesiredState, type Service } from '../../domain/service.js';
import { GroupOperator } from '../controlling/group-operator.js';
import type { RunningOperation } from './running-operation.js';
import { ServiceRecords } from '../service-records.js';

/** Brings back what a failed deployment had put aside. */
@Injectable()
export class GroupReversal {
  constructor(
    private readonly operator: GroupOperator,
    private readonly records: ServiceRecords,
  ) {}

  /** Ends the deployment as failed, with the containers of before back in place; locked when they cannot be. */
  async carryOut(run: RunningOperation, failure: DeployFailure): Promise<void> {
    const service = await run.write(() => ({}));
    // Whatever stands now is removed by the operation that waits for this one to end.
    if (service.status === 'removing') return this.end(run, failure, { status: 'removing' }, false);
    const previous = service.currentDeploymentId
      ? await this.records.deployments.get(OrganisationScope.all, service.currentDeploymentId)
      : null;
    const desiredState: DesiredState = service.settledStatus === 'stopped' ? 'stopped' : 'running';
    try {
      await run.step('revert', () => this.bringBack(run, service, previous, desiredState));
    } catch (error) {
      if (!DeployFailure.of(error)) throw error;
      return this.end(run, failure, { ...FAILED, locked: previous !== null }, false);
    }
    if (!previous) return this.end(run, failure, { ...FAILED, containerIds: [] }, false);
    const status = restingStatus({ desiredState, suspended: service.suspended });
    const since = status === 'running' && hadStopped(run.deployment) ? { startedAt: this.records.clock.now() } : {};
    return this.end(run, failure, { status, settledStatus: status, desiredState, ...since }, true);
  }

  private async bringBack(
    run: RunningOperation,
    service: Service,
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
    if (!down || down.length === 0) return;
    const roles = down.map(({ role }) => role).join(', ');
    throw new DeployFailure('container_start_failed', `Containers of before do not run again: ${roles}.`);
  }

  private async end(
    run: RunningOperation,
    failure: DeployFailure,
    service: Partial<Service>,
    reverted: boolean,
  ): Promise<void> {
    const finishedAt = this.records.clock.now();
    const status = failure.code === 'cancelled' ? 'cancelled' : 'failed';
    const deployment = { status, errorMessage: failure.errorMessage, reverted, finishedAt } as const;
    await run.write(() => ({ service, deployment }));
  }
}

/** What serves has been stopped for a moment, as far as it was running. */
function hadStopped({ trigger, steps }: Deployment): boolean {
  return trigger === 'restart' || steps.some(({ name }) => name === 'retire');
}
