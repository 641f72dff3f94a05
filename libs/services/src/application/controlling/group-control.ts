import { Injectable } from '@nestjs/common';
import { DeployFailure, ownReasonOf } from '../../domain/deploying/deploy-failure.js';
import type { Deployment } from '../../domain/deploying/deployment.js';
import type { GroupTopology } from '../../domain/deploying/group-topology.js';
import { organisationNetwork } from '../../domain/organisation-network.js';
import { OrganisationScope } from '../../domain/organisation-scope.js';
import { wantedState, type ServiceState } from '../../domain/service-state.js';
import type { Service } from '../../domain/service.js';
import { KeptImages } from '../building/kept-images.js';
import { GroupDeployment } from '../deploying/group-deployment.js';
import { IngressRoutes } from '../domains/ingress-routes.js';
import { containerIdsOf, GroupOperator } from './group-operator.js';
import { sideBySide } from '../deploying/in-order.js';
import { ContainerRuntime } from '../ports/engine/container-runtime.js';
import { PanelIdentity } from '../ports/panel-identity.js';
import type { RunningOperation } from '../deploying/running-operation.js';
import { ServiceRecords } from '../service-records.js';

/** Starts, stops and removes existing containers. Missing containers are deployed again. */
@Injectable()
export class GroupControl {
  constructor(
    private readonly operator: GroupOperator,
    private readonly deployment: GroupDeployment,
    private readonly runtime: ContainerRuntime,
    private readonly routes: IngressRoutes,
    private readonly builtImages: KeptImages,
    private readonly records: ServiceRecords,
    private readonly identity: PanelIdentity,
  ) {}

  /** @throws DeployFailure and errors of the runtime. Containers may then be in any state */
  async run(run: RunningOperation, service: ServiceState, options: { readonly stopFirst: boolean }): Promise<void> {
    const current = await this.currentOf(service);
    const isWhole = current !== null && (await this.isWhole(service, current));
    // Containers are missing, or an earlier worker has already begun to replace them: deploy.
    if (!isWhole || run.deployment.progress.committed) {
      return this.deployment.carryOut(run, service, current);
    }
    const group = { serviceId: service.id, deploymentId: current.id, topology: current.topology };
    const topology: GroupTopology = current.topology!;
    const ids = await run.step('control', async () => {
      if (options.stopFirst)
        await this.operator.make({ ...group, state: 'stopped', repeatOneShots: false }, run.operation);
      const made = await this.operator.make({ ...group, state: 'running', repeatOneShots: true }, run.operation);
      await this.operator.gate(topology, made, run.operation);
      await this.routes.trySyncService(service.id);
      return made;
    });
    const containerIds = containerIdsOf(topology, ids);
    await this.settle(run, (service) => service.containersRun(containerIds, this.records.clock.now()));
  }

  async stop(run: RunningOperation, service: ServiceState): Promise<void> {
    const current = await this.currentOf(service);
    await run.step('control', async () => {
      // Update the route first, so that requests get a 503 page instead of a refused connection.
      await this.routes.trySyncService(service.id);
      const group = { deploymentId: current?.id ?? null, topology: current?.topology ?? null };
      const desired = { serviceId: service.id, ...group, state: 'stopped', repeatOneShots: false } as const;
      await this.operator.make(desired, run.operation);
    });
    await this.settle(run, (service) => service.containersStopped());
  }

  /** Restores the desired state on the engine and unlocks the service. */
  async reconcile(run: RunningOperation, service: ServiceState): Promise<void> {
    if (wantedState(service) === 'stopped') return this.stop(run, service);
    const current = await this.currentOf(service);
    if (!current || run.deployment.progress.committed || !(await this.isWhole(service, current))) {
      return this.deployment.carryOut(run, service, current);
    }
    const topology: GroupTopology = current.topology!;
    const ids = await run.step('control', async () => {
      const group = { serviceId: service.id, deploymentId: current.id, topology };
      const made = await this.operator.make({ ...group, state: 'running', repeatOneShots: false }, run.operation);
      await this.operator.gate(topology, made, run.operation);
      await this.routes.trySyncService(service.id);
      return made;
    });
    const startedAt = service.startedAt ?? this.records.clock.now();
    const containerIds = containerIdsOf(topology, ids);
    await this.settle(run, (reconciled) => reconciled.containersRun(containerIds, startedAt));
  }

  /** Removes everything with the labels of the service, including volumes, and then its rows. */
  async remove(run: RunningOperation, service: ServiceState): Promise<void> {
    await run.step('remove', async () => {
      // Remove the routes before other containers can get the same addresses.
      await this.routes.trySyncService(service.id);
      const { containers } = await this.runtime.listOwned(service.id, run.operation.signal);
      await sideBySide(containers, ({ id }) => this.runtime.removeContainer(id, run.operation));
      const { networks, volumes } = await this.runtime.listOwned(service.id, run.operation.signal);
      await sideBySide(networks, ({ name }) => this.runtime.removeNetwork(name, run.operation));
      const { name: shared } = organisationNetwork(service.customerId, await this.identity.name());
      await this.runtime.removeUnusedNetwork(shared, run.operation);
      await sideBySide(volumes, ({ name }) => this.runtime.removeVolume(name, run.operation));
      await this.builtImages.removeAll(service.id, run.operation, (text) => run.log(text));
    });
    await run.deleteService();
  }

  private async settle(run: RunningOperation, change: (service: Service) => void): Promise<void> {
    await run.write((service, deployment) => {
      change(service);
      const at = this.records.clock.now();
      service.settle({ unlock: deployment.trigger === 'reconcile', reason: ownReasonOf(deployment.state, at) });
      deployment.succeed(at);
    });
  }

  private currentOf(service: ServiceState): Promise<Deployment | null> {
    if (service.currentDeploymentId === null) return Promise.resolve(null);
    return this.records.deployments.get(OrganisationScope.everything, service.currentDeploymentId);
  }

  /** Whether all containers, networks and volumes of the deployment exist. */
  private async isWhole(service: ServiceState, { id, topology }: Deployment): Promise<boolean> {
    if (!topology) throw new DeployFailure('interrupted', 'The running deployment has no record of its containers.');
    const { containers, networks, volumes } = await this.runtime.listOwned(service.id);
    const names = new Set([...networks, ...volumes].map(({ name }) => name));
    return (
      topology.members.every(({ role }) =>
        containers.some(({ owner }) => owner.deploymentId === id && owner.role === role),
      ) && [...topology.networks, ...topology.volumes].every((name) => names.has(name))
    );
  }
}
