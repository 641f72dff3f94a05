import { Injectable } from '@nestjs/common';
import { EngineUnavailable } from '../ports/engine/container-runtime-errors.js';
import { ContainerRuntime } from '../ports/engine/container-runtime.js';
import type { ContainerDetails, OwnedContainer } from '../ports/engine/container-state.js';
import { ContainerStats, type ContainerSample } from '../ports/engine/container-stats.js';
import { atMost } from './at-most.js';

/** One container as it was found. */
export interface SeenContainer {
  readonly details: ContainerDetails;
  /** Null while it does not run, and when the engine does not tell. */
  readonly sample: ContainerSample | null;
  /** When, by a clock that never jumps. */
  readonly seenMs: number;
}

/** What was found of one service. */
export interface SeenGroup {
  readonly containers: readonly SeenContainer[];
  /** False when the engine did not answer about one of them. */
  readonly complete: boolean;
  /** False when besides it is not known what one of them uses. */
  readonly measured: boolean;
}

interface Finding {
  containers: SeenContainer[];
  complete: boolean;
  measured: boolean;
}

const KNOCK_LIMIT_MS = 3_000;
/** A busy engine takes seconds for a container that is just being started or stopped; silence is found by knocking. */
const CALL_LIMIT_MS = 8_000;
const SIDE_BY_SIDE = 8;
/** An engine before 23.0 lets each of these wait for its next second; it measures all that wait in one go. */
const SAMPLES_SIDE_BY_SIDE = 100;

/** Looks at every container of ours once: a list, then two short questions about each. */
@Injectable()
export class EngineLook {
  constructor(
    private readonly runtime: ContainerRuntime,
    private readonly stats: ContainerStats,
  ) {}

  /** Whether the engine answers at all. @throws when it does not, or not in time */
  async knock(signal: AbortSignal): Promise<void> {
    await this.runtime.version(limited(signal, KNOCK_LIMIT_MS));
  }

  /** @returns by service id @throws when the engine does not answer */
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

  /** @returns those that are still there */
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
        // One container may hang by itself. When all that are asked for hang, it is the engine.
        if (silent >= Math.min(SIDE_BY_SIDE, containers.length)) {
          throw new EngineUnavailable('The Docker engine lists its containers but does not describe them.', {
            cause: error,
          });
        }
      }
    });
    return found;
  }

  /** A container that ends while the engine measures it gets no answer, and says nothing about the engine. */
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
