import { ContainerLogs, type LogLine, type LogRange } from '../../../../application/ports/engine/container-logs.js';
import type { SwarmContainerRuntime } from '../swarm-container-runtime.js';

/**
 * The logs of what runs on the node that is asked, told by our own ids: the swarm replaces the container of a service
 * each time it starts it. What was written by an earlier one is gone with it.
 */
export class SwarmContainerLogs extends ContainerLogs {
  constructor(
    private readonly swarm: SwarmContainerRuntime,
    private readonly engine: ContainerLogs,
  ) {
    super();
  }

  async recent(id: string, range: LogRange, signal?: AbortSignal): Promise<readonly LogLine[]> {
    const containerId = await this.swarm.containerIdOf(id, signal);
    if (containerId === null) return [];
    return (await this.engine.recent(containerId, range, signal)).map((line) => ({ ...line, containerId: id }));
  }

  async *follow(id: string, range: LogRange, signal: AbortSignal): AsyncGenerator<LogLine> {
    const containerId = await this.swarm.containerIdOf(id, signal);
    if (containerId === null) return;
    for await (const line of this.engine.follow(containerId, range, signal)) yield { ...line, containerId: id };
  }
}
