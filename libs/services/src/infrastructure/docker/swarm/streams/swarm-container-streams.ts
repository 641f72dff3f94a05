import { EngineUnavailable } from '../../../../application/ports/engine/container-runtime-errors.js';
import {
  ContainerStreams,
  type RunningProgram,
  type StreamedCommand,
} from '../../../../application/ports/engine/container-streams.js';
import type { SwarmContainerRuntime } from '../swarm-container-runtime.js';

/** Programs in containers that run on the node that is asked, told by our own ids. */
export class SwarmContainerStreams extends ContainerStreams {
  constructor(
    private readonly swarm: SwarmContainerRuntime,
    private readonly engine: ContainerStreams,
  ) {
    super();
  }

  async run(id: string, command: StreamedCommand, signal?: AbortSignal): Promise<RunningProgram> {
    const containerId = await this.swarm.containerIdOf(id, signal);
    // A container that the panel started beside the swarm has no other id.
    if (containerId === null && (await this.swarm.inspect(id, signal)) !== null)
      throw new EngineUnavailable('The container runs on another node of the swarm, where no command can be run.');
    return this.engine.run(containerId ?? id, command, signal);
  }
}
