import { Conflict, Unavailable } from '#kernel/errors';

interface Cause {
  readonly cause?: unknown;
}

/** The engine does not respond or reports an internal error. A call that was running may or may not have had effect. */
export class EngineUnavailable extends Unavailable {
  constructor(message: string, options?: Cause) {
    super('docker_unavailable', message, options);
  }
}

/** A step exceeded its time limit, although the engine responds. */
export class StepTimedOut extends Unavailable {
  constructor(message: string, options?: Cause) {
    super('timeout', message, options);
  }
}

/**
 * Why an image could not be pulled: `missing` (the registry has no such name, tag or digest), `denied` (it requires
 * other credentials), `unreachable` (no valid response), `rate_limited`, `corrupt` (the content does not match its
 * digest) or `failed` (see the message of the engine).
 */
export type PullFailure = 'missing' | 'denied' | 'unreachable' | 'rate_limited' | 'corrupt' | 'failed';

export class ImagePullFailed extends Unavailable {
  constructor(
    readonly reason: PullFailure,
    message: string,
    options?: Cause,
  ) {
    super('image_pull_failed', message, options);
  }
}

export class ContainerCreateFailed extends Conflict {
  constructor(message: string, options?: Cause) {
    super('container_create_failed', message, options);
  }
}

/** Only a new container can get other files: in a swarm they are part of what is started. */
export class FilesAfterStart extends ContainerCreateFailed {}

export class ContainerStartFailed extends Conflict {
  constructor(message: string, options?: Cause) {
    super('container_start_failed', message, options);
  }
}

/** A host port that a container needs is in use by another process or container. */
export class PortConflict extends Conflict {
  constructor(message: string, options?: Cause) {
    super('port_conflict', message, options);
  }
}

/** The volume's name belongs to someone else, or a container still uses the volume. */
export class VolumeConflict extends Conflict {
  constructor(message: string, options?: Cause) {
    super('volume_conflict', message, options);
  }
}

/** The engine's disk is full. */
export class DiskFull extends Unavailable {
  constructor(message: string, options?: Cause) {
    super('disk_full', message, options);
  }
}
