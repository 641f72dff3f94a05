import type { Operation } from '../../../application/ports/engine/container-runtime.js';
import type { OwnedNetwork } from '../../../application/ports/engine/container-state.js';
import type { NetworkPlan } from '../../../domain/service-plan.js';
import type { OwnLabels } from '../container-labels.js';
import { unexpected } from '../docker-errors.js';
import type { EngineConnection } from '../engine/engine-connection.js';
import { EngineNetworks } from '../engine/engine-networks.js';
import type { ServiceSpec } from './swarm-api.js';
import { isInUse, isMissing } from './swarm-errors.js';
import type { SwarmPower } from './swarm-power.js';
import type { SwarmServices } from './swarm-services.js';
import { until } from './waiting.js';

/** Overlay networks of services. They span all nodes, and only swarm services can join them. */
export class SwarmNetworks {
  readonly #networks: EngineNetworks;

  constructor(
    private readonly connection: EngineConnection,
    private readonly labels: OwnLabels,
    private readonly services: SwarmServices,
    private readonly power: SwarmPower,
    isEncrypted: boolean,
  ) {
    const options = isEncrypted ? { Options: { encrypted: '' } } : {};
    this.#networks = new EngineNetworks(connection, labels, { Driver: 'overlay', ...options });
  }

  list(serviceId: string | null, signal?: AbortSignal): Promise<OwnedNetwork[]> {
    return this.#networks.list(serviceId, signal);
  }

  ensure(serviceId: string, network: NetworkPlan, operation: Operation): Promise<void> {
    return this.#networks.ensure(serviceId, network, operation);
  }

  /** The swarm itself refuses to remove a network that services use. */
  removeUnused(name: string, operation: Operation): Promise<void> {
    return this.#networks.removeUnused(name, operation);
  }

  async remove(name: string, operation: Operation): Promise<void> {
    const { signal } = operation;
    const found = await this.#networks.find(name, signal);
    if (!found) return;
    const targets = [found.id, found.name];
    const joins = ({ TaskTemplate }: ServiceSpec) =>
      TaskTemplate.Networks?.some(({ Target }) => targets.includes(Target));
    for (const { ID, Spec } of await this.services.list(this.labels.filter(found.serviceId), signal))
      if (joins(Spec)) await this.#cutOff(ID, targets, operation);
    await until(() => this.#removed(found.name, found.id, operation), {
      limitMs: 3 * this.connection.readTimeoutMs,
      text: `the network ${name} did not become free`,
      signal,
    });
  }

  /** The networks of a task cannot be changed, so it is replaced by a task without these networks. */
  async #cutOff(id: string, targets: readonly string[], operation: Operation): Promise<void> {
    const wasStarted = await this.power.stop(id, 0, operation);
    const isOther = ({ Target }: { readonly Target: string }) => !targets.includes(Target);
    const without = (spec: ServiceSpec): ServiceSpec => {
      const Networks = spec.TaskTemplate.Networks.filter(isOther);
      return { ...spec, TaskTemplate: { ...spec.TaskTemplate, Networks } };
    };
    const changed = await this.services.update(id, without, operation);
    if (changed && wasStarted && changed.Spec.TaskTemplate.Networks.length > 0) await this.power.start(id, operation);
  }

  /** A node lists a network until its last task has left it, although the swarm has removed it already. */
  async #removed(name: string, id: string, operation: Operation): Promise<true | null> {
    try {
      await this.connection.change(operation, (docker) => docker.getNetwork(id).remove());
    } catch (error) {
      if (!isMissing(error) && !isInUse(error)) throw unexpected(error);
    }
    return (await this.#networks.find(name, operation.signal)) === null ? true : null;
  }
}
