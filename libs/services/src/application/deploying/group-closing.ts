import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DeployFailure } from '../../domain/deploying/deploy-failure.js';
import { planRetirement } from '../../domain/deploying/group-plan.js';
import type { StepName } from '../../domain/deploying/deploy-plan.js';
import { OrganisationScope } from '../../domain/organisation-scope.js';
import type { ServiceState } from '../../domain/service-state.js';
import { KeptImages } from '../building/kept-images.js';
import { GroupOperator } from '../controlling/group-operator.js';
import { IngressRoutes } from '../domains/ingress-routes.js';
import { ContainerRuntime, type Operation } from '../ports/engine/container-runtime.js';
import { Evidence } from './evidence.js';
import type { RunningOperation } from './running-operation.js';
import { ServiceRecords } from '../service-records.js';

const DRAIN_MS = 1_000;

/**
 * The steps after the health gate. The new containers already are the service, so a failure here fails only the step.
 */
@Injectable()
export class GroupClosing {
  constructor(
    private readonly operator: GroupOperator,
    private readonly runtime: ContainerRuntime,
    private readonly routes: IngressRoutes,
    private readonly builtImages: KeptImages,
    private readonly evidence: Evidence,
    private readonly records: ServiceRecords,
  ) {}

  /** Routes requests to the new containers and removes the old ones. The reconciler completes what fails here. */
  async finish(run: RunningOperation, service: ServiceState): Promise<void> {
    await this.attempt(run, 'route', () => this.route(run, service));
    if (run.deployment.state.strategy === 'start-first')
      await this.attempt(run, 'retire', () => this.retire(run, service, run.undo));
    await this.attempt(run, 'finish', async () => {
      await this.evidence.keepReplaced(run, service.currentDeploymentId);
      await this.clear(run);
    });
    await run.write((service, deployment) => {
      service.finishDeployment();
      deployment.succeed(this.records.clock.now());
    });
  }

  /** Stops the old containers, each after its dependents, and frees their names. */
  async retire(run: RunningOperation, before: ServiceState, operation: Operation): Promise<void> {
    const old = before.currentDeploymentId
      ? await this.records.deployments.get(OrganisationScope.everything, before.currentDeploymentId)
      : null;
    const standing = await this.operator.standing(before.id, operation.signal);
    const topology = old?.topology ?? null;
    const steps = planRetirement(before.id, run.deployment.id, topology, standing);
    await this.operator.carryOut(steps, topology, operation);
  }

  /** Gives the old containers time to complete their open requests. */
  private async route(run: RunningOperation, before: ServiceState): Promise<void> {
    const isRouted = await this.routes.syncService(before.id);
    if (isRouted && before.currentDeploymentId !== null && run.deployment.state.strategy === 'start-first')
      await sleep(DRAIN_MS);
  }

  private async clear(run: RunningOperation): Promise<void> {
    const { id, serviceId, topology } = run.deployment;
    const desired = { serviceId, deploymentId: id, topology, state: 'running', repeatOneShots: false } as const;
    await this.operator.make(desired, run.undo);
    const { networks } = await this.runtime.listOwned(serviceId, run.undo.signal);
    for (const { name } of networks)
      if (!topology?.networks.includes(name)) await this.runtime.removeNetwork(name, run.undo);
    await this.builtImages.removeOld(serviceId, run.undo, (text) => run.log(text));
  }

  /** Runs a step whose failure is recorded but has no other effect. */
  private async attempt(run: RunningOperation, name: StepName, work: () => Promise<void>): Promise<void> {
    await run.step(name, work).catch((error: unknown) => {
      if (!DeployFailure.of(error)) throw error;
    });
  }
}
