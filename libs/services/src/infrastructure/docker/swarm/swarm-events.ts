import type {
  ContainerChange,
  ContainerOwner,
  RuntimeEvent,
} from '../../../application/ports/engine/container-state.js';
import { CONTAINER_CHANGES, toldEvents, toContainerEvent, type EngineEvent } from '../engine/engine-events.js';
import { distantEvents } from './distant-tasks.js';
import { merged } from './merged.js';
import { SERVICE_ID, type SwarmServices } from './swarm-services.js';

const OF_SERVICES: Readonly<Record<string, ContainerChange>> = { create: 'created', remove: 'removed' };
/** Events of a task's container that are reported for the panel's container. It is created and removed as a service. */
const OF_TASKS: readonly ContainerChange[] = [
  'started',
  'died',
  'out-of-memory',
  'killed',
  'paused',
  'unpaused',
  'health',
];

/** See `ContainerRuntime.events`. Events on other nodes from before the call are not reported. */
export async function* swarmEvents(
  services: SwarmServices,
  from: Date | null,
  signal: AbortSignal,
): AsyncGenerator<RuntimeEvent> {
  const left = new AbortController();
  const ends = AbortSignal.any([signal, left.signal]);
  try {
    yield* merged<RuntimeEvent>([nearEvents(services, from, ends), distantEvents(services, ends)]);
  } finally {
    left.abort();
  }
}

/**
 * Events from this node: every manager reports events of services, but only the node of a task those of its container.
 */
async function* nearEvents(
  services: SwarmServices,
  from: Date | null,
  signal: AbortSignal,
): AsyncGenerator<RuntimeEvent> {
  const { connection, labels } = services;
  const known = new KnownServices(services);
  const events = [...Object.keys(CONTAINER_CHANGES), ...Object.keys(OF_SERVICES)];
  const wanted = { filters: { type: ['container', 'service'], event: events } };
  await known.learn(signal);
  for await (const line of toldEvents(connection, wanted, from, signal)) {
    if (line === 'resumed') yield { kind: 'resumed' };
    else if (line.event.Type === 'service') yield* known.ofService(line.event, line.at, signal);
    else {
      const owner = labels.ownerOf(line.event.Actor?.Attributes);
      const id = line.event.Actor?.Attributes?.[SERVICE_ID];
      if (!owner || !id) continue;
      yield* known.firstSeen(id, owner, line.at);
      const event = toContainerEvent(line.event, line.at, labels);
      if (event && OF_TASKS.includes(event.change)) yield { ...event, containerId: id };
    }
  }
}

/** Remembers the owners of services, because an event of a service contains only its id. */
class KnownServices {
  readonly #owners = new Map<string, ContainerOwner>();

  constructor(private readonly services: SwarmServices) {}

  /** Reads the services that were created before the events are listened to. */
  async learn(signal: AbortSignal): Promise<void> {
    const { labels } = this.services;
    const standing = await this.services.list(labels.filter(null), signal).catch(() => []);
    for (const { ID, Spec } of standing) {
      const owner = labels.ownerOf(Spec.Labels);
      if (owner) this.#owners.set(ID, owner);
    }
  }

  async *ofService(event: EngineEvent, at: bigint, signal: AbortSignal): AsyncGenerator<RuntimeEvent> {
    const id = event.Actor?.ID ?? '';
    const change = OF_SERVICES[event.Action ?? ''];
    if (change === 'created') {
      const found = await this.services.find(id, signal).catch(() => null);
      const owner = this.services.labels.ownerOf(found?.Spec.Labels);
      if (owner) yield* this.#tell('created', id, owner, at);
    } else if (change === 'removed') {
      const owner = this.#owners.get(id);
      if (owner) yield* this.#tell('removed', id, owner, at);
    }
  }

  /**
   * Reports the creation of a service that was removed before it could be read. Its container's labels name the owner.
   */
  *firstSeen(id: string, owner: ContainerOwner, at: bigint): Generator<RuntimeEvent> {
    if (!this.#owners.has(id)) yield* this.#tell('created', id, owner, at);
  }

  *#tell(change: ContainerChange, id: string, owner: ContainerOwner, at: bigint): Generator<RuntimeEvent> {
    if (change === 'removed') this.#owners.delete(id);
    else this.#owners.set(id, owner);
    yield {
      kind: 'container',
      change,
      containerId: id,
      serviceId: owner.serviceId,
      deploymentId: owner.deploymentId,
      at: new Date(Number(at / 1_000_000n)),
      exitCode: null,
      health: null,
    };
  }
}
