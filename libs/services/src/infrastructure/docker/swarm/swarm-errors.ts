import {
  ContainerCreateFailed,
  ContainerStartFailed,
} from '../../../application/ports/engine/container-runtime-errors.js';
import { createFailure, EngineRefusal, isRefusal, startFailure } from '../docker-errors.js';

/** The state it was asked for before would have told so in a field of its own. */
const REFUSED_BY_A_TASK = 500;

export function createFailureInSwarm(error: unknown): unknown {
  return createFailure(withoutRpc(error));
}

/** Somebody else changed the service between our look and our change. */
export function isOutOfSequence(error: unknown): boolean {
  return error instanceof EngineRefusal && /update out of sequence/.test(error.message);
}

/** The engine has several statuses for it. */
export function isMissing(error: unknown): boolean {
  return isRefusal(error, 404) || (error instanceof EngineRefusal && /not found$/.test(error.message));
}

/** A network or secret that is referred to by a service or a task that has not ended yet. */
export function isInUse(error: unknown): boolean {
  return error instanceof EngineRefusal && /is in use by|has active endpoints/.test(error.message);
}

/** @param message what a task, or the scheduler about it, says about why it does not run */
export function startFailureOfTask(message: string): unknown {
  if (/host-mode port already in use/.test(message))
    return startFailure(new EngineRefusal(REFUSED_BY_A_TASK, `${message}: port is already allocated`));
  return startFailure(new EngineRefusal(REFUSED_BY_A_TASK, message.replace(/^starting container failed: /, '')));
}

export function gone(containerId: string): ContainerStartFailed {
  return new ContainerStartFailed(`The container ${containerId} cannot start: it is gone.`);
}

/** @param key of the compose file, `tmpfs.uid` */
export function notInSwarm(key: string, reason: string): ContainerCreateFailed {
  return new ContainerCreateFailed(`${key}: ${reason}`);
}

function withoutRpc(error: unknown): unknown {
  if (!(error instanceof EngineRefusal)) return error;
  return new EngineRefusal(error.status, error.message.replace(/^rpc error: code = \w+ desc = /, ''), { cause: error });
}
