import { ContainerCreateFailed } from '../../../application/ports/engine/container-runtime-errors.js';
import type { Operation } from '../../../application/ports/engine/container-runtime.js';
import type { OwnedNetwork } from '../../../application/ports/engine/container-state.js';
import type { NetworkPlan } from '../../../domain/service-plan.js';
import type { OwnLabels } from '../container-labels.js';
import { createFailure, isRefusal, unexpected } from '../docker-errors.js';
import type { EngineConnection } from './engine-connection.js';
import { keepOldest, onceUnambiguous } from './shared-network.js';

interface FoundNetwork extends OwnedNetwork {
  /** The service or the organisation that the labels name. */
  readonly owner: string;
  /** Running ones. */
  readonly containerIds: readonly string[];
}

/** Further options of a network, besides its name, its labels and whether it is internal. */
export interface NetworkKind {
  readonly Driver: 'bridge' | 'overlay';
  readonly Options?: Record<string, string>;
}

/** The networks of services. */
export class EngineNetworks {
  constructor(
    private readonly connection: EngineConnection,
    private readonly labels: OwnLabels,
    private readonly kind: NetworkKind = { Driver: 'bridge' },
  ) {}

  async list(serviceId: string | null, signal?: AbortSignal): Promise<OwnedNetwork[]> {
    const found = await this.connection.ask(signal, (docker) =>
      docker.listNetworks({ filters: { label: this.labels.filter(serviceId) } }),
    );
    return found.flatMap(({ Id: id, Name: name, Internal: internal, Labels }) => {
      const owner = this.labels.serviceOf(Labels);
      return owner === null ? [] : [{ id, name, serviceId: owner, internal }];
    });
  }

  async ensure(serviceId: string, plan: NetworkPlan, operation: Operation): Promise<void> {
    try {
      await this.connection.change(operation, (docker) =>
        docker.createNetwork({
          ...this.kind,
          Name: plan.name,
          Internal: plan.internal,
          CheckDuplicate: true,
          Labels: {
            ...Object.fromEntries(plan.labels),
            ...(plan.organisation === undefined
              ? this.labels.forService(serviceId)
              : this.labels.forOrganisation(plan.organisation)),
          },
        }),
      );
    } catch (error) {
      if (!isRefusal(error, 409)) throw createFailure(error);
      if (plan.organisation !== undefined) await keepOldest(this.connection, plan.name, operation);
      const standing = await this.find(plan.name, operation.signal);
      if (standing?.owner !== (plan.organisation ?? serviceId)) throw nameTaken(plan.name);
      if (standing.internal !== plan.internal) {
        throw new ContainerCreateFailed(`The network ${plan.name} exists and cannot change whether it is internal.`);
      }
      return;
    }
    if (plan.organisation !== undefined) await keepOldest(this.connection, plan.name, operation);
  }

  async remove(name: string, operation: Operation): Promise<void> {
    const found = await this.find(name, operation.signal);
    if (!found) return;
    try {
      for (const id of found.containerIds) await this.#cutOff(name, id, operation);
      await this.connection.change(operation, (docker) => docker.getNetwork(name).remove());
    } catch (error) {
      if (!isRefusal(error, 404)) throw unexpected(error);
    }
  }

  /** Does nothing while containers belong to the network, running or not. */
  async removeUnused(name: string, operation: Operation): Promise<void> {
    if (!(await this.find(name, operation.signal))) return;
    const members = await this.connection.ask(operation.signal, (docker) =>
      docker.listContainers({ all: true, filters: { network: [name] } }),
    );
    if (members.length > 0) return;
    try {
      await this.connection.change(operation, (docker) => docker.getNetwork(name).remove());
    } catch (error) {
      // Already removed, or joined meanwhile.
      if (![400, 403, 404, 409].some((status) => isRefusal(error, status))) throw unexpected(error);
    }
  }

  /** Does nothing if the container has already joined. */
  async join(name: string, containerId: string, aliases: readonly string[], operation: Operation): Promise<void> {
    try {
      await onceUnambiguous(() =>
        this.connection.change(operation, (docker) =>
          docker.getNetwork(name).connect({ Container: containerId, EndpointConfig: { Aliases: [...aliases] } }),
        ),
      );
    } catch (error) {
      if (!(isRefusal(error, 403) && /already exists/.test(error.message))) throw createFailure(error);
    }
  }

  async #cutOff(name: string, containerId: string, operation: Operation): Promise<void> {
    try {
      await this.connection.change(operation, (docker) =>
        docker.getNetwork(name).disconnect({ Container: containerId, Force: true }),
      );
    } catch (error) {
      if (!isRefusal(error, 404)) throw error;
    }
  }

  /** @returns null if there is none @throws ContainerCreateFailed when the network is not ours */
  async find(name: string, signal?: AbortSignal): Promise<FoundNetwork | null> {
    const found = await onceUnambiguous(() =>
      this.connection.look(signal, (docker) => docker.getNetwork(name).inspect()),
    ).catch((error: unknown) => {
      if (isRefusal(error, 404)) return null;
      throw unexpected(error);
    });
    if (!found) return null;
    const owner = this.labels.serviceOf(found.Labels) ?? this.labels.organisationOf(found.Labels);
    if (owner === null) throw nameTaken(name);
    const containerIds = Object.keys(found.Containers ?? {});
    return { id: found.Id, name, owner, serviceId: owner, internal: found.Internal, containerIds };
  }
}

function nameTaken(name: string): ContainerCreateFailed {
  return new ContainerCreateFailed(`The network name ${name} is taken by a network that is not this service's.`);
}
