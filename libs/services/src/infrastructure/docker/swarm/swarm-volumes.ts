import { createHash } from 'node:crypto';
import { VolumeConflict } from '../../../application/ports/engine/container-runtime-errors.js';
import type { Operation } from '../../../application/ports/engine/container-runtime.js';
import type { OwnedVolume } from '../../../application/ports/engine/container-state.js';
import type { VolumeMount, VolumePlan } from '../../../domain/service-plan.js';
import type { OwnLabels } from '../container-labels.js';
import { isRefusal, unexpected } from '../docker-errors.js';
import type { EngineConnection } from '../engine/engine-connection.js';
import { EngineVolumes } from '../engine/engine-volumes.js';
import { notInSwarm } from './swarm-errors.js';
import { managerNode } from './swarm-node.js';
import type { SwarmServices } from './swarm-services.js';

const VOLUME = 'panel.volume';
const NODE = 'panel.node';
const HASH_LENGTH = 32;

interface Home extends OwnedVolume {
  readonly recordId: string;
  readonly nodeId: string;
}

/**
 * The volumes of services. Each is on one node, but a swarm would create an empty volume of the same name on any other
 * node where a task starts. So the node of each volume is recorded in the swarm, in a config that no container reads,
 * and containers are bound to that node.
 */
export class SwarmVolumes {
  readonly #here: EngineVolumes;

  constructor(
    private readonly connection: EngineConnection,
    private readonly labels: OwnLabels,
    private readonly services: SwarmServices,
  ) {
    this.#here = new EngineVolumes(connection, labels);
  }

  /** Includes volumes on other nodes. */
  async list(serviceId: string | null, signal?: AbortSignal): Promise<OwnedVolume[]> {
    const [here, homes] = await Promise.all([
      this.#here.list(serviceId, signal),
      this.#homes([...this.labels.filter(serviceId), VOLUME], signal),
    ]);
    const node = homes.length > 0 ? await managerNode(this.connection, signal) : '';
    const elsewhere = homes.filter(({ nodeId }) => nodeId !== node);
    return [...here, ...elsewhere.map(({ name, serviceId: owner }) => ({ name, serviceId: owner }))];
  }

  async ensure(serviceId: string, plan: VolumePlan, operation: Operation): Promise<void> {
    const node = await managerNode(this.connection, operation.signal);
    const home = await this.#homeOf(plan.name, operation.signal);
    if (home && home.nodeId !== node) {
      if (home.serviceId !== serviceId) throw new VolumeConflict(`The volume ${plan.name} is another service's.`);
      return;
    }
    await this.#here.ensure(serviceId, plan, operation);
    if (!home) await this.#record(serviceId, plan.name, node, operation);
  }

  /**
   * All services are checked first, because the engine does not protect a volume whose container has no task yet. The
   * caller must hold the lock on its service, so that no container is created meanwhile.
   * @throws VolumeConflict when a container uses it, started or not, or when it is on another node
   */
  async remove(name: string, operation: Operation): Promise<void> {
    const { signal } = operation;
    const home = await this.#homeOf(name, signal);
    if (home && home.nodeId !== (await managerNode(this.connection, signal)))
      throw new VolumeConflict(`The volume ${name} lies on the node ${home.nodeId}: only there it can be removed.`);
    const users = await this.services.list(this.labels.filter(null), signal);
    const mounts = users.flatMap(({ Spec }) => Spec.TaskTemplate.ContainerSpec.Mounts ?? []);
    if (mounts.some(({ Source }) => Source === name))
      throw new VolumeConflict(`The volume ${name} is used by a container.`);
    if (home) await this.services.discardLeftBehind(home.serviceId, operation);
    // The record is removed first: after a crash between the two steps, the volume is still found by its own labels.
    if (home) await this.#forget(home.recordId, operation);
    try {
      await this.#here.remove(name, operation);
    } catch (error) {
      if (home) await this.#record(home.serviceId, name, home.nodeId, operation);
      throw error;
    }
  }

  /**
   * The node of all these volumes; null when there are none.
   * @throws ContainerCreateFailed when they are on several nodes
   */
  async nodeOf(mounts: readonly VolumeMount[], signal?: AbortSignal): Promise<string | null> {
    if (mounts.length === 0) return null;
    const names = new Set(mounts.map(({ volume }) => volume));
    const homes = await this.#homes([...this.labels.filter(null), VOLUME], signal);
    const nodes = new Set(homes.flatMap(({ name, nodeId }) => (names.has(name) ? [nodeId] : [])));
    if (nodes.size > 1) throw notInSwarm('volumes', 'the volumes of one container lie on different nodes.');
    return [...nodes][0] ?? managerNode(this.connection, signal);
  }

  /** @param label filters, each key only once: a swarm would use an arbitrary one of two filters with the same key */
  async #homes(label: string[], signal?: AbortSignal): Promise<readonly Home[]> {
    const filters = { label };
    const found = await this.connection.ask(signal, (docker) => docker.listConfigs({ filters }));
    return found.flatMap(({ ID: recordId, Spec }) => {
      const serviceId = this.labels.serviceOf(Spec?.Labels);
      const [name, nodeId] = [Spec?.Labels[VOLUME], Spec?.Labels[NODE]];
      return serviceId && name && nodeId ? [{ recordId, serviceId, name, nodeId }] : [];
    });
  }

  async #homeOf(name: string, signal?: AbortSignal): Promise<Home | null> {
    const homes = await this.#homes([...this.labels.filter(null), `${VOLUME}=${name}`], signal);
    return homes.find((home) => home.name === name) ?? null;
  }

  async #record(serviceId: string, name: string, node: string, operation: Operation): Promise<void> {
    const hash = createHash('sha256')
      .update(JSON.stringify([this.labels.instance, name]))
      .digest('hex')
      .slice(0, HASH_LENGTH);
    const Labels = { ...this.labels.forService(serviceId), [VOLUME]: name, [NODE]: node };
    // A config cannot be empty.
    const options = { Name: `panel-volume-${hash}`, Labels, Data: Buffer.from(node).toString('base64') };
    try {
      await this.connection.change(operation, (docker) => docker.createConfig(options));
    } catch (error) {
      if (!isRefusal(error, 409)) throw unexpected(error);
    }
  }

  async #forget(recordId: string, operation: Operation): Promise<void> {
    try {
      await this.connection.change(operation, (docker) => docker.getConfig(recordId).remove());
    } catch (error) {
      if (!isRefusal(error, 404)) throw unexpected(error);
    }
  }
}
