import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation } from '../../../application/ports/engine/container-runtime.js';
import { isRefusal, unexpected } from '../docker-errors.js';
import type { EngineConnection } from './engine-connection.js';

const AMBIGUOUS = /is ambiguous/;
const MAX_TRIES = 10;
const PAUSE_MS = 200;

/**
 * The engine may create two networks with one name if two deployments of an organisation create it at the same moment,
 * even with `CheckDuplicate`. The oldest one is kept. The others, which nobody can have joined by name, are removed.
 */
export async function keepOldest(connection: EngineConnection, name: string, operation: Operation): Promise<void> {
  const found = await connection.ask(operation.signal, (docker) => docker.listNetworks({ filters: { name: [name] } }));
  const [, ...younger] = found
    .filter((network) => network.Name === name)
    .sort((one, other) => one.Created.localeCompare(other.Created) || one.Id.localeCompare(other.Id));
  for (const { Id } of younger) {
    try {
      await connection.change(operation, (docker) => docker.getNetwork(Id).remove());
    } catch (error) {
      // Another deployment has removed it, or it has containers and must stay.
      if (![403, 404, 409].some((status) => isRefusal(error, status))) throw unexpected(error);
    }
  }
}

/** Until the younger one is removed, the name refers to two networks. */
export async function onceUnambiguous<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (tries === MAX_TRIES || !AMBIGUOUS.test(error instanceof Error ? error.message : '')) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
