import { Injectable } from '@nestjs/common';
import { DeployFailure } from '../../domain/deploying/deploy-failure.js';
import { remainingSteps } from '../../domain/deploying/deploy-plan.js';
import type { Deployment } from '../../domain/deploying/deployment.js';
import { servingName, waitingName } from '../../domain/deploying/group-plan.js';
import type { GroupTopology } from '../../domain/deploying/group-topology.js';
import type { ContainerPlan } from '../../domain/service-plan.js';
import type { ServiceState, ShownGroup } from '../../domain/service-state.js';
import { Evidence } from './evidence.js';
import { GroupClosing } from './group-closing.js';
import { containerIdsOf, GroupOperator, type ContainerIds } from '../controlling/group-operator.js';
import { GroupPreparation } from './group-preparation.js';
import { GroupReversal } from './group-reversal.js';
import { sideBySide } from './in-order.js';
import { ContainerRuntime } from '../ports/engine/container-runtime.js';
import type { OwnedContainer } from '../ports/engine/container-state.js';
import type { RunningOperation } from './running-operation.js';
import { ServiceRecords } from '../service-records.js';
import { specHash } from '../intake/spec-hash.js';
import { publishedPorts, type OpenedPlan } from '../intake/specification.js';
import { TemplateGate } from '../templates/template-gate.js';

/** An operation with the data it works on. */
interface Work {
  readonly run: RunningOperation;
  readonly service: ServiceState;
  readonly opened: OpenedPlan;
}

/**
 * Replaces the containers of a service with new ones. Everything that can be checked is checked before containers are
 * touched. The old containers are kept until the new ones pass the health gate, and are restored if they do not.
 */
@Injectable()
export class GroupDeployment {
  constructor(
    private readonly preparation: GroupPreparation,
    private readonly closing: GroupClosing,
    private readonly runtime: ContainerRuntime,
    private readonly operator: GroupOperator,
    private readonly reversal: GroupReversal,
    private readonly evidence: Evidence,
    private readonly records: ServiceRecords,
    private readonly templates: TemplateGate,
  ) {}

  /**
   * @param reused the deployment whose images are taken, instead of resolving the tags again
   * @throws DeployFailure and errors of the runtime if it failed before the commit point; later failures are handled
   * here
   */
  async carryOut(run: RunningOperation, service: ServiceState, reused: Deployment | null): Promise<void> {
    const left = remainingSteps(run.deployment.progress);
    if (left.includes('create')) {
      const prepared = left.includes('validate') ? await this.preparation.prepare(run, service, reused) : null;
      try {
        // A worker that continues for a dead one opens the specification here.
        await this.replace({ run, service, opened: prepared ?? (await this.preparation.open(run, service)) });
      } catch (error) {
        const failure = DeployFailure.of(error);
        if (!failure) throw error;
        await this.evidence.keep(run);
        await this.reversal.carryOut(run, failure);
        return;
      }
    }
    await this.closing.finish(run, service);
  }

  private async replace(work: Work): Promise<void> {
    const { run, service } = work;
    const topology = run.deployment.topology!;
    const ids = await run.step('create', () => this.create(work, topology));
    if (run.deployment.state.strategy === 'stop-first')
      await run.step('retire', () => this.closing.retire(run, service, run.operation));
    await run.step('start', () => this.operator.start(topology, ids, run.operation));
    const group = await this.shown(work, topology, ids);
    const startedAt = this.records.clock.now();
    if (service.currentDeploymentId === null) {
      const haveHealthChecks = await this.operator.haveHealthChecks(ids, run.operation.signal);
      await run.write((first) => first.showFirstContainers(group, startedAt, { haveHealthChecks }));
    }
    const ended = await run.step('health_gate', async () => {
      const done = await this.operator.gate(topology, ids, run.operation);
      const { resourceLimits } = work.opened;
      await this.templates.prove({ ...service, resourceLimits }, ids, run.operation);
      return done;
    });
    await run.write((proven, deployment) => {
      proven.adopt({ ...deployment.state, resourceLimits: work.opened.resourceLimits }, group, startedAt);
      deployment.prove(ended, this.records.clock.now());
    });
  }

  private async create(work: Work, topology: GroupTopology): Promise<ContainerIds> {
    const { run, opened } = work;
    const { plan } = opened;
    const { containers: owned } = await this.runtime.listOwned(plan.serviceId, run.operation.signal);
    for (const network of plan.networks) await this.runtime.ensureNetwork(plan.serviceId, network, run.operation);
    await sideBySide(plan.volumes, (volume) => this.runtime.ensureVolume(plan.serviceId, volume, run.operation));
    const ids = new Map<string, string>();
    await sideBySide(plan.containers, async (container) => {
      ids.set(container.name, await this.ensure(work, topology, container, owned));
    });
    return ids;
  }

  /** Adopts an identical container of an earlier worker. A different or half-made one is recreated. */
  private async ensure(
    { run, opened }: Work,
    topology: GroupTopology,
    plan: ContainerPlan,
    owned: readonly OwnedContainer[],
  ): Promise<string> {
    const { serviceId } = opened.plan;
    const { imageId } = topology.members.find(({ role }) => role === plan.name)!;
    const environment = opened.environmentOf(plan);
    const files = opened.filesOf(plan);
    const hash = specHash({ plan, imageId, environment, files }, opened.hashKey);
    const deploymentId = run.deployment.id;
    const mine = owned.find(({ owner }) => owner.deploymentId === deploymentId && owner.role === plan.name);
    if (mine && mine.owner.specHash === hash && mine.lifecycle !== 'created') return mine.id;
    // It was never started, so its files may be missing.
    if (mine) await this.runtime.removeContainer(mine.id, run.operation);
    const serving = servingName(serviceId, plan.name);
    const isFree = owned.every(({ id, name }) => name !== serving || id === mine?.id);
    const name = isFree ? serving : waitingName(serviceId, plan.name, deploymentId);
    const owner = { serviceId, deploymentId, role: plan.name, specHash: hash };
    const { id } = await this.runtime.createContainer({ name, owner, imageId, plan, environment }, run.operation);
    if (files.length > 0) await this.runtime.putFiles(id, files, run.operation);
    return id;
  }

  /** The fields of the service row that describe its containers. */
  private async shown({ run, opened }: Work, topology: GroupTopology, ids: ContainerIds): Promise<ShownGroup> {
    const { networks } = await this.runtime.listOwned(opened.plan.serviceId, run.operation.signal);
    return {
      containerIds: containerIdsOf(topology, ids),
      networkId: networks.find(({ name }) => name === topology.networks[0])?.id ?? null,
      portMappings: publishedPorts(opened.plan),
    };
  }
}
