import { ContainerStats, type ContainerSample } from '../../../../application/ports/engine/container-stats.js';
import type { SwarmContainerRuntime } from '../swarm-container-runtime.js';

/** What runs on the node that is asked, told by our own ids; of other nodes nothing is known. */
export class SwarmContainerStats extends ContainerStats {
  constructor(
    private readonly swarm: SwarmContainerRuntime,
    private readonly engine: ContainerStats,
  ) {
    super();
  }

  async sample(id: string, signal?: AbortSignal): Promise<ContainerSample | null> {
    const containerId = await this.swarm.containerIdOf(id, signal);
    const sample = containerId === null ? null : await this.engine.sample(containerId, signal);
    return sample && { ...sample, containerId: id };
  }
}
