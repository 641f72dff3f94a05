import { Injectable } from '@nestjs/common';
import { EngineUnavailable } from '../ports/engine/container-runtime-errors.js';
import { ContainerRuntime } from '../ports/engine/container-runtime.js';
import type { ContainerDetails, OwnedContainer } from '../ports/engine/container-state.js';
import { ContainerStats, type ContainerSample } from '../ports/engine/container-stats.js';
import { atMost } from './at-most.js';

/** One sampled container. */
export interface SeenContainer {
  readonly details: ContainerDetails;
  /** Null while it is not running, and if the engine did not report it. */
  readonly sample: ContainerSample | null;
  /** Time of the sample, by a monotonic clock. */
  readonly seenMs: number;
}

/** The sample of one service. */
export interface SeenGroup {
  readonly containers: readonly SeenContainer[];
  /** False if the engine did not answer for one of the containers. */
  readonly complete: boolean;
  /** False if the usage of one of the containers is unknown. */
  readonly measured: boolean;
}

interface Finding {
  containers: SeenContainer[];
  complete: boolean;
  measured: boolean;
}

const KNOCK_LIMIT_MS = 3_000;
/**
 * A busy engine takes seconds for a container that is being started or stopped. An engine that is down is found by
 * `ping`.
 */
const CALL_LIMIT_MS = 8_000;
const SIDE_BY_SIDE = 8;
/** Engines before 23.0 answer these calls once a second, all that are waiting together. So many are sent at once. */
const SAMPLES_SIDE_BY_SIDE = 100;

/** Samples every container of ours: one list call, then two short calls per container. */
@Injectable()
export class EngineLook {
  constructor(
    private readonly runtime: ContainerRuntime,
    private readonly stats: ContainerStats,
  ) {}

  /** Checks that the engine responds. @throws if it does not respond in time */
  async knock(signal: AbortSignal): Promise<void> {
    await this.runtime.version(limited(signal, KNOCK_LIMIT_MS));
  }

  /** @returns the samples by service id @throws if the engine does not respond */
  async take(signal: AbortSignal): Promise<ReadonlyMap<string, SeenGroup>> {
    const { containers } = await this.runtime.listOwned(null, limited(signal, CALL_LIMIT_MS));
    const groups = new Map<string, Finding>();
    for (const { owner } of containers) groups.set(owner.serviceId, { containers: [], complete: true, measured: true });
    const found = await this.inspected(containers, groups, signal);
    await atMost(SAMPLES_SIDE_BY_SIDE, found, async (details) => {
      const group = groups.get(details.owner.serviceId)!;
      const sample = await this.sampled(details, group, signal);
      group.containers.push({ details, sample, seenMs: performance.now() });
    });
    for (const group of groups.values()) group.containers.sort(byRole);
    return groups;
  }

  /** @returns those that still exist */
  private async inspected(
    containers: readonly OwnedContainer[],
    groups: ReadonlyMap<string, Finding>,
    signal: AbortSignal,
  ): Promise<readonly ContainerDetails[]> {
    const found: ContainerDetails[] = [];
    let silent = 0;
    await atMost(SIDE_BY_SIDE, containers, async ({ id, owner }) => {
      try {
        const details = await this.runtime.inspect(id, limited(signal, CALL_LIMIT_MS));
        if (details) found.push(details);
        silent = 0;
      } catch (error) {
        signal.throwIfAborted();
        Object.assign(groups.get(owner.serviceId)!, { complete: false, measured: false });
        silent += 1;
        // A single container may hang. If all of them hang, the engine does.
        if (silent >= Math.min(SIDE_BY_SIDE, containers.length)) {
          throw new EngineUnavailable('The Docker engine lists its containers but does not describe them.', {
            cause: error,
          });
        }
      }
    });
    return found;
  }

  /** A container that exits during the call gets no answer. That is not a failure of the engine. */
  private async sampled(
    { id, lifecycle }: ContainerDetails,
    group: Finding,
    signal: AbortSignal,
  ): Promise<ContainerSample | null> {
    if (lifecycle !== 'running') return null;
    try {
      return await this.stats.sample(id, limited(signal, CALL_LIMIT_MS));
    } catch {
      signal.throwIfAborted();
      group.measured = false;
      return null;
    }
  }
}

function byRole({ details: one }: SeenContainer, { details: other }: SeenContainer): number {
  return one.owner.role.localeCompare(other.owner.role) || one.id.localeCompare(other.id);
}

function limited(signal: AbortSignal, ms: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(ms)]);
}
