import {
  ContainerCreateFailed,
  ContainerStartFailed,
} from '../../../application/ports/engine/container-runtime-errors.js';
import { createFailure, EngineRefusal, isRefusal, startFailure } from '../docker-errors.js';

/** A task's error has no HTTP status; the engine would answer with this one to a failed start. */
const REFUSED_BY_A_TASK = 500;

export function createFailureInSwarm(error: unknown): unknown {
  return createFailure(withoutRpc(error));
}

/** Somebody else has changed the service since it was read. */
export function isOutOfSequence(error: unknown): boolean {
  return error instanceof EngineRefusal && /update out of sequence/.test(error.message);
}

/** Whether something does not exist, for which the engine uses several statuses. */
export function isMissing(error: unknown): boolean {
  return isRefusal(error, 404) || (error instanceof EngineRefusal && /not found$/.test(error.message));
}

/** Whether a network or secret is used by a service, or by a task that has not ended yet. */
export function isInUse(error: unknown): boolean {
  return error instanceof EngineRefusal && /is in use by|has active endpoints/.test(error.message);
}

/** @param message the reason why a task does not run, from the task or the scheduler */
export function startFailureOfTask(message: string): unknown {
  if (/host-mode port already in use/.test(message))
    return startFailure(new EngineRefusal(REFUSED_BY_A_TASK, `${message}: port is already allocated`));
  return startFailure(new EngineRefusal(REFUSED_BY_A_TASK, message.replace(/^starting container failed: /, '')));
}

export function gone(containerId: string): ContainerStartFailed {
  return new ContainerStartFailed(`The container ${containerId} cannot start: it is gone.`);
}

/** A setting that is not possible in a swarm. @param key the key in the compose file, such as `tmpfs.uid` */
export function notInSwarm(key: string, reason: string): ContainerCreateFailed {
  return new ContainerCreateFailed(`${key}: ${reason}`);
}

function withoutRpc(error: unknown): unknown {
  if (!(error instanceof EngineRefusal)) return error;
  return new EngineRefusal(error.status, error.message.replace(/^rpc error: code = \w+ desc = /, ''), { cause: error });
}
