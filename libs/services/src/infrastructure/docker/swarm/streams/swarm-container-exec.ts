import {
  ContainerExec,
  type ExecRequest,
  type ExecResult,
} from '../../../../application/ports/engine/container-exec.js';
import { EngineUnavailable } from '../../../../application/ports/engine/container-runtime-errors.js';
import type { Operation } from '../../../../application/ports/engine/container-runtime.js';
import type { SwarmContainerRuntime } from '../swarm-container-runtime.js';

/** Commands in containers that run on the node that is asked, told by our own ids. */
export class SwarmContainerExec extends ContainerExec {
  constructor(
    private readonly swarm: SwarmContainerRuntime,
    private readonly engine: ContainerExec,
  ) {
    super();
  }

  async run(id: string, request: ExecRequest, operation: Operation): Promise<ExecResult> {
    const containerId = await this.swarm.containerIdOf(id, operation.signal);
    if (containerId === null)
      throw new EngineUnavailable('The container runs on another node of the swarm, where no command can be run.');
    return this.engine.run(containerId, request, operation);
  }
}
