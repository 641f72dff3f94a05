import { Injectable } from '@nestjs/common';
import { EngineUnavailable } from '../ports/container-runtime-errors.js';
import { ContainerRuntime } from '../ports/container-runtime.js';
import type { ContainerDetails, OwnedContainer } from '../ports/container-state.js';
import { ContainerStats, type ContainerSample } from '../ports/container-stats.js';
import { atMost } from './at-most.js';

/** One container as it was found. */
export interface SeenContainer {
  readonly details: ContainerDetails;
  /** Null while it does not run. */
  readonly sample: ContainerSample | null;
  /** When, by a clock that never jumps. */
  readonly seenMs: number;
}

/** What was found of one service. */
export interface SeenGroup {
  readonly containers: readonly SeenContainer[];
  /** False when the engine did not answer about one of them. */
  readonly complete: boolean;
}

const LIST_LIMIT_MS = 5_000;
const CALL_LIMIT_MS = 3_000;
const SIDE_BY_SIDE = 8;

/** Looks at every container of ours once: a list, then two short questions about each. */
@Injectable()
export class EngineLook {
  constructor(
    private readonly runtime: ContainerRuntime,
    private readonly stats: ContainerStats,
  ) {}

  /** Whether the engine answers at all. @throws when it does not, or not in time */
  async knock(signal: AbortSignal): Promise<void> {
    await this.runtime.version(limited(signal, CALL_LIMIT_MS));
  }

  /** @returns by service id @throws when the engine does not answer */
  async take(signal: AbortSignal): Promise<ReadonlyMap<string, SeenGroup>> {
    const { containers } = await this.runtime.listOwned(null, limited(signal, LIST_LIMIT_MS));
    const groups = new Map<string, { containers: SeenContainer[]; complete: boolean }>();
    for (const { owner } of containers) groups.set(owner.serviceId, { containers: [], complete: true });
    let silent = 0;
    await atMost(SIDE_BY_SIDE, containers, async (container) => {
      const group = groups.get(container.owner.serviceId)!;
      try {
        const seen = await this.look(container, signal);
        if (seen) group.containers.push(seen);
        silent = 0;
      } catch (error) {
        signal.throwIfAborted();
        group.complete = false;
        silent += 1;
        // One container may hang by itself. When all that are asked for hang, it is the engine.
        if (silent >= Math.min(SIDE_BY_SIDE, containers.length)) {
          throw new EngineUnavailable('The Docker engine lists its containers and does not tell of them.', {
            cause: error,
          });
        }
      }
    });
    return groups;
  }

  private async look({ id }: OwnedContainer, signal: AbortSignal): Promise<SeenContainer | null> {
    const details = await this.runtime.inspect(id, limited(signal, CALL_LIMIT_MS));
    if (!details) return null;
    const sample = details.lifecycle === 'running' ? await this.stats.sample(id, limited(signal, CALL_LIMIT_MS)) : null;
    return { details, sample, seenMs: performance.now() };
  }
}

function limited(signal: AbortSignal, ms: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(ms)]);
}
