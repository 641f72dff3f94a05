import { randomBytes } from 'node:crypto';
import type { ImageInspectInfo } from 'dockerode';
import { ContainerCreateFailed, FilesAfterStart } from '../../../application/ports/engine/container-runtime-errors.js';
import type {
  ContainerFile,
  ContainerSpec,
  CreatedContainer,
  Operation,
} from '../../../application/ports/engine/container-runtime.js';
import type { ContainerDetails, OwnedContainer } from '../../../application/ports/engine/container-state.js';
import type { OwnLabels } from '../container-labels.js';
import { isRefusal } from '../docker-errors.js';
import type { EngineConnection } from '../engine/engine-connection.js';
import { imageName } from '../image-pull.js';
import type { BuildRegistry } from '../registry/build-registry.js';
import type { ServiceSpec, SwarmService } from './swarm-api.js';
import { createFailureInSwarm } from './swarm-errors.js';
import { containerLabels, nameFilter, ownedOf, swarmName, withName } from './swarm-labels.js';
import { requirePromises, saysNoNewPrivileges } from './swarm-node.js';
import type { SwarmSecrets } from './swarm-secrets.js';
import type { SwarmServices } from './swarm-services.js';
import type { SwarmVolumes } from './swarm-volumes.js';
import { detailsOfRun, lifecycleOfRun, runOf } from './task-state.js';
import { neededPromises, toServiceSpec } from './to-service-spec.js';

/** The bridge network that the engine creates on every node of a swarm. */
const NODE_BRIDGE = 'docker_gwbridge';

/**
 * Represents each container of the panel as a swarm service: with one replica while it is started, otherwise with none.
 */
export class SwarmContainers {
  constructor(
    private readonly connection: EngineConnection,
    private readonly labels: OwnLabels,
    private readonly services: SwarmServices,
    private readonly volumes: SwarmVolumes,
    private readonly secrets: SwarmSecrets,
    private readonly registry: BuildRegistry,
  ) {}

  async list(serviceId: string | null, signal?: AbortSignal): Promise<OwnedContainer[]> {
    const filter = this.labels.filter(serviceId);
    const [found, tasks] = await Promise.all([this.services.list(filter, signal), this.services.tasks(filter, signal)]);
    return found.flatMap((service) => {
      const owned = ownedOf(this.labels, service.ID, service.Spec.Labels);
      return owned ? [{ ...owned, lifecycle: lifecycleOfRun(service, runOf(service, tasks)) }] : [];
    });
  }

  async inspect(id: string, signal?: AbortSignal): Promise<ContainerDetails | null> {
    const service = await this.services.find(id, signal);
    const owned = service ? ownedOf(this.labels, service.ID, service.Spec.Labels) : null;
    if (!service || !owned) return null;
    const run = await this.services.runOf(service, signal);
    const found = await this.services.containerOf(run, signal);
    const nearby = found && { found, hostAddress: await this.#hostAddress(found.Id, signal) };
    return detailsOfRun(service, owned, run, nearby);
  }

  /**
   * The node itself cannot reach overlay networks. But each container on it also has an address on this bridge, unless
   * all networks of the container are internal.
   */
  async #hostAddress(containerId: string, signal?: AbortSignal): Promise<string | null> {
    const bridge = await this.connection
      .look(signal, (docker) => docker.getNetwork(NODE_BRIDGE).inspect())
      .catch((error: unknown) => {
        if (isRefusal(error, 404)) return null;
        throw error;
      });
    return bridge?.Containers?.[containerId]?.IPv4Address.split('/')[0] ?? null;
  }

  async create(spec: ContainerSpec, operation: Operation): Promise<CreatedContainer> {
    const { signal } = operation;
    const { owner, plan } = spec;
    const standing = await this.#ofName(spec.name, signal);
    if (standing) return adopted(spec, standing, this.labels);
    const says = await saysNoNewPrivileges(this.connection, signal);
    await requirePromises(this.connection, neededPromises(plan, says), signal);
    const image = await this.#image(spec.imageId, signal);
    const service = toServiceSpec(spec, {
      name: swarmName(owner, this.labels.instance),
      labels: containerLabels(this.labels, spec),
      image: everywhere(spec, image),
      imageEntrypoint: [image.Config.Entrypoint ?? []].flat(),
      imageCommand: image.Config.Cmd ?? [],
      nodeId: await this.volumes.nodeOf(plan.mounts, signal),
      saysNoNewPrivileges: says,
    });
    return this.#made(spec, service, operation);
  }

  /**
   * Creates the service. Its swarm name may be taken by a container that has been renamed since; then another is used.
   */
  async #made(spec: ContainerSpec, service: ServiceSpec, operation: Operation): Promise<CreatedContainer> {
    try {
      // The nodes need these credentials to pull the image.
      const login = this.registry.loginFor(spec.plan.image);
      const { id } = await this.connection.change(operation, (docker) =>
        login ? docker.createService(login, service as object) : docker.createService(service as object),
      );
      return { id, adopted: false };
    } catch (error) {
      if (!isRefusal(error, 409)) throw createFailureInSwarm(error);
      const found = await this.services.find(service.Name, operation.signal);
      if (!found) throw nameTaken(spec.name, error);
      if (ownedOf(this.labels, found.ID, found.Spec.Labels)?.name === spec.name)
        return adopted(spec, found, this.labels);
      const Name = `${service.Name}-${randomBytes(4).toString('hex')}`;
      return this.#made(spec, { ...service, Name }, operation);
    }
  }

  async putFiles(id: string, files: readonly ContainerFile[], operation: Operation): Promise<void> {
    if (files.length === 0) return;
    const standing = await this.services.find(id, operation.signal);
    const owner = standing && this.labels.ownerOf(standing.Spec.Labels);
    if (!owner) throw new ContainerCreateFailed(`The container ${id} cannot receive files: it no longer exists.`);
    if (standing.Spec.Mode.Replicated.Replicas > 0)
      throw new FilesAfterStart(`The container ${id} cannot receive files: it has been started.`);
    const references = await this.secrets.store(id, owner.serviceId, files, operation);
    try {
      await this.services.update(
        id,
        (spec) => {
          const ContainerSpec = { ...spec.TaskTemplate.ContainerSpec, Secrets: references };
          return { ...spec, TaskTemplate: { ...spec.TaskTemplate, ContainerSpec } };
        },
        operation,
      );
    } catch (error) {
      throw createFailureInSwarm(error);
    }
    await this.secrets.discard(id, references, operation);
  }

  async rename(id: string, name: string, operation: Operation): Promise<void> {
    const { signal } = operation;
    const standing = await this.#ofName(name, signal);
    if (standing?.ID === id) return;
    if (standing) throw nameTaken(name);
    const rename = (labels: Readonly<Record<string, string>>) => withName(labels, name);
    try {
      const renamed = await this.services.update(id, (spec) => ({ ...spec, Labels: rename(spec.Labels) }), operation);
      if (!renamed) throw new ContainerCreateFailed(`The container ${id} cannot be renamed: it no longer exists.`);
    } catch (error) {
      throw createFailureInSwarm(error);
    }
  }

  /** Finds one of our containers by the name in its label, or any other service by its swarm name. */
  async #ofName(name: string, signal?: AbortSignal): Promise<SwarmService | null> {
    const [ours] = await this.services.list(nameFilter(this.labels, name), signal);
    if (ours) return ours;
    const filters = { name: [name] };
    const named = (await this.connection.ask(signal, (docker) => docker.listServices({ filters }))) as SwarmService[];
    return named.find(({ Spec }) => Spec.Name === name) ?? null;
  }

  async #image(id: string, signal?: AbortSignal): Promise<ImageInspectInfo> {
    try {
      return await this.connection.look(signal, (docker) => docker.getImage(id).inspect());
    } catch (error) {
      throw createFailureInSwarm(error);
    }
  }
}

function adopted(spec: ContainerSpec, standing: SwarmService, labels: OwnLabels): CreatedContainer {
  const found = labels.ownerOf(standing.Spec.Labels);
  const { owner } = spec;
  const same =
    found?.serviceId === owner.serviceId &&
    found.deploymentId === owner.deploymentId &&
    found.role === owner.role &&
    found.specHash === owner.specHash;
  if (!same) throw nameTaken(spec.name);
  return { id: standing.ID, adopted: true };
}

/**
 * The registry's digest, so that every node pulls exactly the checked image; without one, the image id on this node.
 */
function everywhere({ plan: { image }, imageId }: ContainerSpec, found: ImageInspectInfo): string {
  const names = [imageName(image), image.repository, image.repository.replace(/^library\//, '')];
  return found.RepoDigests?.find((digest) => names.includes(digest.split('@')[0]!)) ?? imageId;
}

function nameTaken(name: string, cause?: unknown): ContainerCreateFailed {
  return new ContainerCreateFailed(`The container name ${name} is taken by another container.`, { cause });
}
