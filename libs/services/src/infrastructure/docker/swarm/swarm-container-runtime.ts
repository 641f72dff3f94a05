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
  /** Encrypt what containers on different nodes tell each other; false by default. */
  readonly encryptNetworks?: boolean;
}

/** Docker Engines in swarm mode, reached through one of their managers; API 1.41 and newer. */
export class SwarmContainerRuntime extends ContainerRuntime {
  /** Images, and what lies on the node that is asked, are the engine's own. */
  readonly #engine: DockerodeContainerRuntime;
  readonly #connection: EngineConnection;
  readonly #labels: OwnLabels;
  readonly #services: SwarmServices;
  readonly #containers: SwarmContainers;
  readonly #power: SwarmPower;
  readonly #networks: SwarmNetworks;
  readonly #volumes: SwarmVolumes;

  /** Does not connect yet. @throws RangeError for a host in another form than `DOCKER_HOST` takes */
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

  /** @returns how many nodes there are @throws EngineUnavailable; ContainerCreateFailed when none may run services */
  check(): Promise<number> {
    return checkSwarm(this.#connection);
  }

  /** @throws EngineUnavailable also when the engine manages no swarm */
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

  /** Onto the node that is asked; others pull what they run from the registry, by the digest that came here. */
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

  /** Of the node that is asked, where all volumes lie that were made through it. */
  diskUsage(signal?: AbortSignal): ReturnType<ContainerRuntime['diskUsage']> {
    return engineDiskUsage(this.#connection, this.#labels, signal, ({ Id, Labels }) => swarmServiceOf(Labels) ?? Id);
  }

  events(since: Date | null, signal: AbortSignal): AsyncIterable<RuntimeEvent> {
    return swarmEvents(this.#services, since, signal);
  }

  /**
   * The container that runs for one of ours, for statistics and logs, which engines tell by their own containers.
   * @returns null while it has none on the node that is asked
   */
  async containerIdOf(id: string, signal?: AbortSignal): Promise<string | null> {
    const service = await this.#services.find(id, signal);
    if (!service) return null;
    const found = await this.#services.containerOf(await this.#services.runOf(service, signal), signal);
    return found?.Id ?? null;
  }
}
