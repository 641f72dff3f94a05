import { Conflict, Unavailable } from '#kernel/errors';

interface Cause {
  readonly cause?: unknown;
}

/** No engine answers, or it answers that it cannot. Nothing is known about what a running call did. */
export class EngineUnavailable extends Unavailable {
  constructor(message: string, options?: Cause) {
    super('docker_unavailable', message, options);
  }
}

/** A step took longer than it may, although the engine answers. */
export class StepTimedOut extends Unavailable {
  constructor(message: string, options?: Cause) {
    super('timeout', message, options);
  }
}

/**
 * Why an image did not arrive: `missing` (the registry knows no such name, tag or digest), `denied` (it wants other
 * credentials), `unreachable` (no sound answer from it), `rate_limited`, `corrupt` (the bytes do not have the digest
 * they were asked by) or `failed` (the engine's message says it).
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

export class ContainerStartFailed extends Conflict {
  constructor(message: string, options?: Cause) {
    super('container_start_failed', message, options);
  }
}

/** Another process or container holds a host port that a container wants. */
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
