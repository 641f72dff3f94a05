import {
  ContainerRuntime,
  type ContainerFile,
  type ContainerSpec,
  type CreatedContainer,
  type EngineVersion,
  type LocalImage,
  type Operation,
  type PullRequest,
} from '../../application/ports/engine/container-runtime.js';
import type {
  ContainerDetails,
  DiskUse,
  OwnedResources,
  RuntimeEvent,
} from '../../application/ports/engine/container-state.js';
import type { ImageReference, NetworkPlan, VolumePlan } from '../../domain/service-plan.js';
import { OwnLabels } from './container-labels.js';
import { EngineConnection, type EngineSettings } from './engine/engine-connection.js';
import { EngineContainers } from './engine/engine-containers.js';
import { engineDiskUsage } from './engine/engine-disk-usage.js';
import { engineEvents } from './engine/engine-events.js';
import { EngineNetworks } from './engine/engine-networks.js';
import { EngineVolumes } from './engine/engine-volumes.js';
import { inspectImage, pullImage, removeTag } from './image-pull.js';
import { BuildRegistry } from './registry/build-registry.js';
import { TRANSFER_LIMITS, type TransferLimits } from './registry/image-transfer.js';

export interface RuntimeSettings extends EngineSettings {
  /** Name of this panel among several on one engine; null for the only one. */
  readonly instance?: string | null;
  /** 60 s without progress and 15 min in all by default. */
  readonly pull?: TransferLimits;
  /** Its images are pulled with its login. */
  readonly buildRegistry?: BuildRegistry;
}

/** A Docker Engine, reached through dockerode; API 1.41 and newer. */
export class DockerodeContainerRuntime extends ContainerRuntime {
  readonly #connection: EngineConnection;
  readonly #labels: OwnLabels;
  readonly #containers: EngineContainers;
  readonly #networks: EngineNetworks;
  readonly #volumes: EngineVolumes;
  readonly #pullLimits: TransferLimits;
  readonly #buildRegistry: BuildRegistry;

  /**
   * Does not connect yet.
   * @throws RangeError if the host does not have the form of `DOCKER_HOST`
   */
  constructor(settings: RuntimeSettings) {
    super();
    this.#connection = new EngineConnection(settings);
    this.#labels = new OwnLabels(settings.instance ?? null);
    this.#containers = new EngineContainers(this.#connection, this.#labels);
    this.#networks = new EngineNetworks(this.#connection, this.#labels);
    this.#volumes = new EngineVolumes(this.#connection, this.#labels);
    this.#pullLimits = settings.pull ?? TRANSFER_LIMITS;
    this.#buildRegistry = settings.buildRegistry ?? new BuildRegistry();
  }

  /** Asks the engine each time, so that it also shows whether the engine answers now. */
  async version(signal?: AbortSignal): Promise<EngineVersion> {
    await this.#connection.ask(signal, (docker) => docker.ping());
    return this.#connection.version(signal);
  }

  async listOwned(serviceId: string | null, signal?: AbortSignal): Promise<OwnedResources> {
    const [containers, networks, volumes] = await Promise.all([
      this.#containers.list(serviceId, signal),
      this.#networks.list(serviceId, signal),
      this.#volumes.list(serviceId, signal),
    ]);
    return { containers, networks, volumes };
  }

  async pullImage({ image, policy, onProgress }: PullRequest, operation: Operation): Promise<LocalImage> {
    const standing = policy === 'if-missing' ? await this.inspectImage(image, operation.signal) : null;
    if (standing) return standing;
    const login = this.#buildRegistry.loginFor(image);
    return pullImage(this.#connection, { image, limits: this.#pullLimits, onProgress, login }, operation);
  }

  inspectImage(image: ImageReference, signal?: AbortSignal): Promise<LocalImage | null> {
    return inspectImage(this.#connection, image, signal);
  }

  removeTag(image: ImageReference, operation: Operation): Promise<void> {
    return removeTag(this.#connection, image, operation);
  }

  ensureNetwork(serviceId: string, network: NetworkPlan, operation: Operation): Promise<void> {
    return this.#networks.ensure(serviceId, network, operation);
  }

  ensureVolume(serviceId: string, volume: VolumePlan, operation: Operation): Promise<void> {
    return this.#volumes.ensure(serviceId, volume, operation);
  }

  async createContainer(spec: ContainerSpec, operation: Operation): Promise<CreatedContainer> {
    const container = await this.#containers.create(spec, operation);
    for (const { network, aliases } of spec.plan.networks.slice(1)) {
      await this.#networks.join(network, container.id, aliases, operation);
    }
    return container;
  }

  putFiles(containerId: string, files: readonly ContainerFile[], operation: Operation): Promise<void> {
    return this.#containers.putFiles(containerId, files, operation);
  }

  start(containerId: string, operation: Operation): Promise<void> {
    return this.#containers.start(containerId, operation);
  }

  stop(containerId: string, graceMs: number, operation: Operation): Promise<void> {
    return this.#containers.stop(containerId, graceMs, operation);
  }

  rename(containerId: string, name: string, operation: Operation): Promise<void> {
    return this.#containers.rename(containerId, name, operation);
  }

  removeContainer(containerId: string, operation: Operation): Promise<void> {
    return this.#containers.remove(containerId, operation);
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

  diskUsage(signal?: AbortSignal): Promise<ReadonlyMap<string, DiskUse>> {
    return engineDiskUsage(this.#connection, this.#labels, signal);
  }

  events(since: Date | null, signal: AbortSignal): AsyncIterable<RuntimeEvent> {
    return engineEvents(this.#connection, this.#labels, since, signal);
  }
}
