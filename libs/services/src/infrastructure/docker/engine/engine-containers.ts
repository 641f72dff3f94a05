import type { ContainerInspectInfo } from 'dockerode';
import { ContainerCreateFailed } from '../../../application/ports/engine/container-runtime-errors.js';
import type {
  ContainerFile,
  ContainerSpec,
  CreatedContainer,
  Operation,
} from '../../../application/ports/engine/container-runtime.js';
import type { ContainerDetails, OwnedContainer } from '../../../application/ports/engine/container-state.js';
import { lifecycleOf, toDetails } from '../container-details.js';
import { tarOf } from '../container-files.js';
import type { OwnLabels } from '../container-labels.js';
import { createFailure, isRefusal, startFailure, unexpected } from '../docker-errors.js';
import type { EngineConnection } from './engine-connection.js';
import { onceUnambiguous } from './shared-network.js';
import { toCreateOptions } from '../to-create-options.js';

const REMOVAL_POLL_MS = 50;

export class EngineContainers {
  constructor(
    private readonly connection: EngineConnection,
    private readonly labels: OwnLabels,
  ) {}

  async list(serviceId: string | null, signal?: AbortSignal): Promise<OwnedContainer[]> {
    const found = await this.connection.ask(signal, (docker) =>
      docker.listContainers({ all: true, filters: { label: this.labels.filter(serviceId) } }),
    );
    return found.flatMap(({ Id: id, Names, ImageID: imageId, State, Labels }) => {
      const owner = this.labels.ownerOf(Labels);
      const name = (Names[0] ?? '').replace(/^\//, '');
      return owner === null ? [] : [{ id, name, owner, imageId, lifecycle: lifecycleOf(State) }];
    });
  }

  async inspect(containerId: string, signal?: AbortSignal): Promise<ContainerDetails | null> {
    const found = await this.#find(containerId, signal);
    const owner = this.labels.ownerOf(found?.Config.Labels);
    return found && owner ? toDetails(found, owner) : null;
  }

  /** Creates the container, or adopts one that an earlier run created. It joins only its first network. */
  async create(spec: ContainerSpec, operation: Operation): Promise<CreatedContainer> {
    const entrypoint = await this.#entrypointToRepeat(spec, operation.signal);
    const options = toCreateOptions(spec, this.labels.forContainer(spec.owner), entrypoint);
    try {
      const { id } = await this.connection.change(operation, (docker) => docker.createContainer(options));
      return { id, adopted: false };
    } catch (error) {
      if (!isRefusal(error, 409)) throw createFailure(error);
      const standing = await this.inspect(spec.name, operation.signal);
      const { owner } = spec;
      const same =
        standing?.owner.serviceId === owner.serviceId &&
        standing.owner.deploymentId === owner.deploymentId &&
        standing.owner.specHash === owner.specHash;
      if (!same) throw nameTaken(spec.name, error);
      return { id: standing.id, adopted: true };
    }
  }

  async putFiles(containerId: string, files: readonly ContainerFile[], operation: Operation): Promise<void> {
    if (files.length === 0) return;
    const tar = await tarOf(files);
    try {
      await this.connection.change(operation, (docker) =>
        docker.getContainer(containerId).putArchive(tar, { path: '/' }),
      );
    } catch (error) {
      throw createFailure(error);
    }
  }

  async start(containerId: string, operation: Operation): Promise<void> {
    try {
      await onceUnambiguous(() =>
        this.connection.change(operation, (docker) => docker.getContainer(containerId).start()),
      );
    } catch (error) {
      if (!isRefusal(error, 304)) throw startFailure(error);
    }
  }

  async stop(containerId: string, graceMs: number, operation: Operation): Promise<void> {
    const seconds = Math.ceil(graceMs / 1000);
    try {
      await this.connection.change(
        operation,
        (docker) => docker.getContainer(containerId).stop({ t: seconds }),
        seconds * 1000,
      );
    } catch (error) {
      if (!isRefusal(error, 304) && !isRefusal(error, 404)) throw unexpected(error);
    }
  }

  async rename(containerId: string, name: string, operation: Operation): Promise<void> {
    try {
      await this.connection.change(operation, (docker) => docker.getContainer(containerId).rename({ name }));
    } catch (error) {
      const standing = await this.#find(containerId, operation.signal);
      if (standing?.Name === `/${name}`) return;
      if (isRefusal(error, 409)) throw nameTaken(name, error);
      throw createFailure(error);
    }
  }

  /** Anonymous volumes are removed with the container, because without labels they could never be found again. */
  async remove(containerId: string, operation: Operation): Promise<void> {
    try {
      await this.connection.change(operation, (docker) =>
        docker.getContainer(containerId).remove({ force: true, v: true }),
      );
    } catch (error) {
      if (isRefusal(error, 404)) return;
      if (!isRefusal(error, 409) || !/already in progress/.test(error.message)) throw unexpected(error);
      await this.#untilGone(containerId, operation.signal);
    }
  }

  async #untilGone(containerId: string, signal?: AbortSignal): Promise<void> {
    const deadline = AbortSignal.timeout(this.connection.readTimeoutMs);
    while (await this.#find(containerId, signal)) {
      deadline.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, REMOVAL_POLL_MS));
    }
  }

  async #entrypointToRepeat(spec: ContainerSpec, signal?: AbortSignal): Promise<readonly string[] | null> {
    if (spec.plan.entrypoint !== null || spec.plan.command?.length !== 0) return null;
    try {
      const image = await this.connection.look(signal, (docker) => docker.getImage(spec.imageId).inspect());
      const entrypoint = image.Config.Entrypoint as string | string[] | null | undefined;
      return entrypoint ? [entrypoint].flat() : null;
    } catch (error) {
      throw createFailure(error);
    }
  }

  async #find(containerId: string, signal?: AbortSignal): Promise<ContainerInspectInfo | null> {
    try {
      return await this.connection.look(signal, (docker) => docker.getContainer(containerId).inspect());
    } catch (error) {
      if (isRefusal(error, 404)) return null;
      throw unexpected(error);
    }
  }
}

function nameTaken(name: string, cause: unknown): ContainerCreateFailed {
  return new ContainerCreateFailed(`The container name ${name} is taken by another container.`, { cause });
}
