import type { ContainerInfo, ContainerInspectInfo } from 'dockerode';
import type { Operation } from '../../../application/ports/engine/container-runtime.js';
import type { OwnLabels } from '../container-labels.js';
import { isRefusal, unexpected } from '../docker-errors.js';
import type { EngineConnection } from '../engine/engine-connection.js';
import type { ServiceSpec, SwarmService, SwarmTask } from './swarm-api.js';
import { isOutOfSequence } from './swarm-errors.js';
import { runOf, type Run } from './task-state.js';

const MAX_TRIES = 20;
export const SERVICE_ID = 'com.docker.swarm.service.id';

/** Id of the swarm service that a container belongs to; null when it does not belong to a swarm. */
export function swarmServiceOf(labels: Readonly<Record<string, string>> | null): string | null {
  return labels?.[SERVICE_ID] ?? null;
}

/** Reads and changes swarm services, their tasks, and the containers of these tasks on the connected node. */
export class SwarmServices {
  constructor(
    readonly connection: EngineConnection,
    readonly labels: OwnLabels,
  ) {}

  async list(labels: readonly string[], signal?: AbortSignal): Promise<readonly SwarmService[]> {
    const filters = { label: [...labels] };
    return (await this.connection.ask(signal, (docker) => docker.listServices({ filters }))) as SwarmService[];
  }

  async tasks(labels: readonly string[], signal?: AbortSignal): Promise<readonly SwarmTask[]> {
    const filters = { label: [...labels] };
    return (await this.connection.ask(signal, (docker) => docker.listTasks({ filters }))) as SwarmTask[];
  }

  /** @returns null when the service does not exist or does not belong to the panel */
  async find(id: string, signal?: AbortSignal): Promise<SwarmService | null> {
    try {
      const found = (await this.connection.look(signal, (docker) => docker.getService(id).inspect())) as SwarmService;
      return this.labels.ownerOf(found.Spec.Labels) ? found : null;
    } catch (error) {
      if (isRefusal(error, 404)) return null;
      throw unexpected(error);
    }
  }

  /** The tasks of all starts; empty when the service does not exist. */
  async tasksOf(id: string, signal?: AbortSignal): Promise<readonly SwarmTask[]> {
    try {
      const filters = { service: [id] };
      return (await this.connection.look(signal, (docker) => docker.listTasks({ filters }))) as SwarmTask[];
    } catch (error) {
      if (isRefusal(error, 404)) return [];
      throw unexpected(error);
    }
  }

  async runOf(service: SwarmService, signal?: AbortSignal): Promise<Run> {
    return runOf(service, await this.tasksOf(service.ID, signal));
  }

  /** The container of a task; null when it is not on this node. */
  async containerOf({ task }: Run, signal?: AbortSignal): Promise<ContainerInspectInfo | null> {
    const id = task?.Status.ContainerStatus?.ContainerID;
    if (!id) return null;
    try {
      return await this.connection.look(signal, (docker) => docker.getContainer(id).inspect());
    } catch (error) {
      if (isRefusal(error, 404)) return null;
      throw unexpected(error);
    }
  }

  /** Ids of all containers that this node still has for a service. */
  async containersHere(id: string, signal?: AbortSignal): Promise<readonly string[]> {
    return (await this.#containers([`${SERVICE_ID}=${id}`], signal)).map(({ Id }) => Id);
  }

  /**
   * Removes containers on this node whose swarm service no longer exists, as an engine leaves them when it was killed.
   * @param serviceId id of the panel's service
   */
  async discardLeftBehind(serviceId: string, operation: Operation): Promise<void> {
    const filter = this.labels.filter(serviceId);
    const found = await this.#containers([...filter, SERVICE_ID], operation.signal);
    if (found.length === 0) return;
    const standing = new Set((await this.list(filter, operation.signal)).map(({ ID }) => ID));
    for (const { Id, Labels } of found)
      if (!standing.has(Labels[SERVICE_ID] ?? '') && this.labels.serviceOf(Labels) === serviceId)
        await this.discard(Id, operation);
  }

  async discard(containerId: string, operation: Operation): Promise<void> {
    try {
      const options = { force: true, v: true };
      await this.connection.change(operation, (docker) => docker.getContainer(containerId).remove(options));
    } catch (error) {
      // The swarm may be removing it at the same moment.
      if (!isRefusal(error, 404) && !isRefusal(error, 409)) throw unexpected(error);
    }
  }

  async #containers(label: readonly string[], signal?: AbortSignal): Promise<readonly ContainerInfo[]> {
    const options = { all: true, filters: { label: [...label] } };
    return this.connection.ask(signal, (docker) => docker.listContainers(options));
  }

  /**
   * Applies `change` to the current specification, and again when somebody else has changed it in the meantime. The
   * guard runs before every attempt.
   * @returns null when the service does not exist
   * @throws EngineRefusal
   */
  async update(
    id: string,
    change: (spec: ServiceSpec) => ServiceSpec,
    operation: Operation,
  ): Promise<SwarmService | null> {
    for (let left = MAX_TRIES; ; left -= 1) {
      const standing = await this.find(id, operation.signal);
      if (!standing) return null;
      const spec = change(standing.Spec);
      try {
        const options = { _query: { version: standing.Version.Index }, _body: spec };
        await this.connection.change(operation, (docker) => docker.getService(id).update(options));
        return { ...standing, Spec: spec };
      } catch (error) {
        if (isRefusal(error, 404)) return null;
        if (left === 0 || !isOutOfSequence(error)) throw error;
      }
    }
  }
}
