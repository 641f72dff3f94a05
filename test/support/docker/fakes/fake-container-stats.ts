import { EngineUnavailable } from '../../../../libs/services/src/application/ports/engine/container-runtime-errors.js';
import {
  ContainerStats,
  type ContainerSample,
} from '../../../../libs/services/src/application/ports/engine/container-stats.js';
import type { FakeContainerRuntime } from './fake-container-runtime.js';

interface FakeUse {
  /** Number of cores that it keeps busy while it runs. */
  readonly cores?: number;
  readonly memoryBytes?: number;
}

/** The resource use of the containers of a fake runtime. By default they use only a little memory. */
export class FakeContainerStats extends ContainerStats {
  /** By name of the container. */
  readonly uses = new Map<string, FakeUse>();
  /** Ids of containers for which the engine does not respond. */
  readonly mute = new Set<string>();
  /** The clock of the engine. */
  now: () => number = Date.now;

  constructor(private readonly runtime: FakeContainerRuntime) {
    super();
  }

  async sample(containerId: string, signal?: AbortSignal): Promise<ContainerSample | null> {
    signal?.throwIfAborted();
    if (!this.runtime.answers || this.mute.has(containerId))
      throw new EngineUnavailable('No Docker engine is responding (the fake is switched off).');
    return this.runtime.faults.strike('sample', signal, () => this.#sample(containerId));
  }

  #sample(containerId: string): ContainerSample | null {
    const container = this.runtime.state.containers.get(containerId);
    if (container?.lifecycle !== 'running' || container.startedAt === null) return null;
    const { cores = 0, memoryBytes = 1_000_000 } = this.uses.get(container.name) ?? {};
    const now = this.now();
    return {
      containerId,
      at: new Date(now),
      cpuNanos: BigInt(Math.round((now - container.startedAt.getTime()) * cores * 1e6)) + 1_000_000n,
      memory: { usedBytes: memoryBytes, limitBytes: container.spec.plan.resources.memoryBytes },
      network: { rxBytes: 0, txBytes: 0 },
      block: { readBytes: 0, writeBytes: 0 },
      pids: 1,
    };
  }
}
