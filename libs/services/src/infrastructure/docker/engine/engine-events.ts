import type { GetEventsOptions } from 'dockerode';
import { setTimeout as delay } from 'node:timers/promises';
import { EngineUnavailable } from '../../../application/ports/engine/container-runtime-errors.js';
import type {
  ContainerChange,
  ContainerEvent,
  RuntimeEvent,
} from '../../../application/ports/engine/container-state.js';
import { healthOf } from '../container-details.js';
import type { OwnLabels } from '../container-labels.js';
import type { EngineConnection } from './engine-connection.js';
import { jsonLines } from '../json-lines.js';

const FIRST_RETRY_MS = 100;
const SLOWEST_RETRY_MS = 5_000;

export const CONTAINER_CHANGES: Readonly<Record<string, ContainerChange>> = {
  create: 'created',
  start: 'started',
  die: 'died',
  oom: 'out-of-memory',
  kill: 'killed',
  destroy: 'removed',
  rename: 'renamed',
  pause: 'paused',
  unpause: 'unpaused',
  health_status: 'health',
};

export interface EngineEvent {
  readonly Type?: string;
  readonly Action?: string;
  readonly Actor?: { readonly ID?: string; readonly Attributes?: Readonly<Record<string, string>> };
}

/** An event with its instant, in nanoseconds since 1970; `resumed` if the connection was lost and is back. */
export type ToldEvent = 'resumed' | { readonly event: EngineEvent; readonly at: bigint };

/** See `ContainerRuntime.events`. */
export async function* engineEvents(
  connection: EngineConnection,
  labels: OwnLabels,
  from: Date | null,
  signal: AbortSignal,
): AsyncGenerator<RuntimeEvent> {
  for await (const told of toldEvents(connection, { filters: filters(labels) }, from, signal)) {
    const event = told === 'resumed' ? ({ kind: 'resumed' } as const) : toContainerEvent(told.event, told.at, labels);
    if (event) yield event;
  }
}

/** Yields the filtered events until the signal is aborted. After a lost connection it continues where it stopped. */
export async function* toldEvents(
  connection: EngineConnection,
  wanted: object,
  from: Date | null,
  signal: AbortSignal,
): AsyncGenerator<ToldEvent> {
  // Null means from now on.
  let last = from === null ? null : BigInt(from.getTime()) * 1_000_000n - 1n;
  let retryMs = FIRST_RETRY_MS;
  let lost = false;
  while (!signal.aborted) {
    try {
      // A number of seconds would lose the nanoseconds that distinguish two events.
      const since = last === null ? {} : { since: seconds(last) };
      const options = { ...wanted, ...since } as object as GetEventsOptions;
      const answer = await connection.ask(signal, (docker) => docker.getEvents(options));
      if (lost) yield 'resumed';
      lost = false;
      retryMs = FIRST_RETRY_MS;
      const told = last;
      for await (const { value, text } of jsonLines(answer)) {
        const at = BigInt(/"timeNano":(\d+)/.exec(text)?.[1] ?? 0);
        // `since` is inclusive, so events from before the interruption come again.
        if (told !== null && at <= told) continue;
        if (last === null || at > last) last = at;
        yield { event: value as EngineEvent, at };
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof EngineUnavailable)) throw error;
    }
    lost = true;
    await delay(retryMs, undefined, { signal }).catch(() => undefined);
    retryMs = Math.min(retryMs * 2, SLOWEST_RETRY_MS);
  }
}

function filters(labels: OwnLabels): object {
  return { type: ['container'], label: labels.filter(null), event: Object.keys(CONTAINER_CHANGES) };
}

export function toContainerEvent(event: EngineEvent, at: bigint, labels: OwnLabels): ContainerEvent | null {
  const attributes = event.Actor?.Attributes ?? {};
  const owner = labels.ownerOf(attributes);
  // `health_status: healthy` is one word with its value.
  const [action = '', value] = (event.Action ?? '').split(': ');
  const change = CONTAINER_CHANGES[action];
  const containerId = event.Actor?.ID;
  if (!owner || !change || !containerId) return null;
  return {
    kind: 'container',
    change,
    containerId,
    serviceId: owner.serviceId,
    deploymentId: owner.deploymentId,
    at: new Date(Number(at / 1_000_000n)),
    exitCode: change === 'died' ? Number(attributes.exitCode) : null,
    health: change === 'health' ? healthOf(value) : null,
  };
}

/** The engine expects seconds with nine decimals. */
function seconds(nanoseconds: bigint): string {
  return `${nanoseconds / 1_000_000_000n}.${String(nanoseconds % 1_000_000_000n).padStart(9, '0')}`;
}
