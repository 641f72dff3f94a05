import {
  ContainerRuntime,
  type ContainerFile,
  type ContainerSpec,
  type CreatedContainer,
  type EngineVersion,
  type LocalImage,
  type Operation,
  type PullRequest,
} from '../../../application/ports/engine/container-runtime.js';
import type {
  ContainerDetails,
  OwnedResources,
  RuntimeEvent,
} from '../../../application/ports/engine/container-state.js';
import type { ImageReference, NetworkPlan, VolumePlan } from '../../../domain/service-plan.js';
import { OwnLabels } from '../container-labels.js';
import { DockerodeContainerRuntime, type RuntimeSettings } from '../dockerode-container-runtime.js';
import { EngineConnection } from '../engine/engine-connection.js';
import { engineDiskUsage } from '../engine/engine-disk-usage.js';
import { BuildRegistry } from '../registry/build-registry.js';
import { SwarmContainers } from './swarm-containers.js';
import { swarmEvents } from './swarm-events.js';
import { SwarmNetworks } from './swarm-networks.js';
import { checkSwarm, managerNode } from './swarm-node.js';
import { SwarmPower } from './swarm-power.js';
import { SwarmSecrets } from './swarm-secrets.js';
import { SwarmServices, swarmServiceOf } from './swarm-services.js';
import { SwarmVolumes } from './swarm-volumes.js';

export interface SwarmSettings extends RuntimeSettings {
  /** Whether traffic between containers on different nodes is encrypted; false by default. */
  readonly encryptNetworks?: boolean;
}

/** Docker Engines in swarm mode, connected through one of the managers; API 1.41 and newer. */
export class SwarmContainerRuntime extends ContainerRuntime {
  /** The connected engine alone, for images and for what exists on its node only. */
  readonly #engine: DockerodeContainerRuntime;
  readonly #connection: EngineConnection;
  readonly #labels: OwnLabels;
  readonly #services: SwarmServices;
  readonly #containers: SwarmContainers;
  readonly #power: SwarmPower;
  readonly #networks: SwarmNetworks;
  readonly #volumes: SwarmVolumes;

  /** Does not connect yet. @throws RangeError when the host is not in a form that `DOCKER_HOST` allows */
  constructor(settings: SwarmSettings) {
    super();
    const labels = new OwnLabels(settings.instance ?? null);
    const connection = new EngineConnection(settings);
    const secrets = new SwarmSecrets(connection, labels);
    const registry = settings.buildRegistry ?? new BuildRegistry();
    this.#engine = new DockerodeContainerRuntime(settings);
    this.#connection = connection;
    this.#labels = labels;
    this.#services = new SwarmServices(connection, labels);
    this.#volumes = new SwarmVolumes(connection, labels, this.#services);
    this.#containers = new SwarmContainers(connection, labels, this.#services, this.#volumes, secrets, registry);
    this.#power = new SwarmPower(connection, this.#services, secrets);
    const isEncrypted = settings.encryptNetworks ?? false;
    this.#networks = new SwarmNetworks(connection, labels, this.#services, this.#power, isEncrypted);
  }

  /**
   * @returns the number of nodes
   * @throws EngineUnavailable; ContainerCreateFailed when none of them may run services
   */
  check(): Promise<number> {
    return checkSwarm(this.#connection);
  }

  /** @throws EngineUnavailable also when the engine is not a swarm manager */
  async version(signal?: AbortSignal): Promise<EngineVersion> {
    await managerNode(this.#connection, signal);
    return this.#engine.version(signal);
  }

  async listOwned(serviceId: string | null, signal?: AbortSignal): Promise<OwnedResources> {
    const [containers, networks, volumes] = await Promise.all([
      this.#containers.list(serviceId, signal),
      this.#networks.list(serviceId, signal),
      this.#volumes.list(serviceId, signal),
    ]);
    return { containers, networks, volumes };
  }

  /** Pulls to the connected node. Other nodes pull the images they run by the digest that was pulled here. */
  pullImage(request: PullRequest, operation: Operation): Promise<LocalImage> {
    return this.#engine.pullImage(request, operation);
  }

  inspectImage(image: ImageReference, signal?: AbortSignal): Promise<LocalImage | null> {
    return this.#engine.inspectImage(image, signal);
  }

  removeTag(image: ImageReference, operation: Operation): Promise<void> {
    return this.#engine.removeTag(image, operation);
  }

  ensureNetwork(serviceId: string, network: NetworkPlan, operation: Operation): Promise<void> {
    return this.#networks.ensure(serviceId, network, operation);
  }

  ensureVolume(serviceId: string, volume: VolumePlan, operation: Operation): Promise<void> {
    return this.#volumes.ensure(serviceId, volume, operation);
  }

  createContainer(spec: ContainerSpec, operation: Operation): Promise<CreatedContainer> {
    return this.#containers.create(spec, operation);
  }

  putFiles(containerId: string, files: readonly ContainerFile[], operation: Operation): Promise<void> {
    return this.#containers.putFiles(containerId, files, operation);
  }

  start(containerId: string, operation: Operation): Promise<void> {
    return this.#power.start(containerId, operation);
  }

  async stop(containerId: string, graceMs: number, operation: Operation): Promise<void> {
    await this.#power.stop(containerId, graceMs, operation);
  }

  rename(containerId: string, name: string, operation: Operation): Promise<void> {
    return this.#containers.rename(containerId, name, operation);
  }

  removeContainer(containerId: string, operation: Operation): Promise<void> {
    return this.#power.remove(containerId, operation);
  }

  inspect(containerId: string, signal?: AbortSignal): Promise<ContainerDetails | null> {
    return this.#containers.inspect(containerId, signal);
  }

  removeNetwork(name: string, operation: Operation): Promise<void> {
    return this.#networks.remove(name, operation);
  }

  removeUnusedNetwork(name: string, operation: Operation): Promise<void> {
    return this.#networks.removeUnused(name, operation);
  }

  removeVolume(name: string, operation: Operation): Promise<void> {
    return this.#volumes.remove(name, operation);
  }

  /** Usage on the connected node, which has all volumes that were created through it. */
  diskUsage(signal?: AbortSignal): ReturnType<ContainerRuntime['diskUsage']> {
    return engineDiskUsage(this.#connection, this.#labels, signal, ({ Id, Labels }) => swarmServiceOf(Labels) ?? Id);
  }

  events(since: Date | null, signal: AbortSignal): AsyncIterable<RuntimeEvent> {
    return swarmEvents(this.#services, since, signal);
  }

  /**
   * Id of the engine's container for one of the panel's containers, needed for statistics and logs.
   * @returns null when it has none on the connected node
   */
  async containerIdOf(id: string, signal?: AbortSignal): Promise<string | null> {
    const service = await this.#services.find(id, signal);
    if (!service) return null;
    const found = await this.#services.containerOf(await this.#services.runOf(service, signal), signal);
    return found?.Id ?? null;
  }
}
