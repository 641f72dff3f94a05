import type { SecretText } from '#kernel/crypto/secret-text';
import type { ContainerPlan, ImageReference, NetworkPlan, VolumePlan } from '../../../domain/service-plan.js';
import type { ContainerDetails, ContainerOwner, DiskUse, OwnedResources, RuntimeEvent } from './container-state.js';

/**
 * Runs right before every call that changes the engine. It throws if the caller must not continue, because its lease
 * was lost or its deployment cancelled. The error reaches the caller unchanged, and the call is not made.
 */
export type OperationGuard = () => Promise<void>;

export interface Operation {
  readonly guard: OperationGuard;
  /** Aborts the wait. The call rejects with the reason of the signal, but the engine may still complete it. */
  readonly signal?: AbortSignal;
}

export interface EngineVersion {
  readonly engine: string;
  /** The negotiated API version, such as `1.41`. */
  readonly api: string;
}

export type PullPolicy = 'always' | 'if-missing';

export interface PullRequest {
  readonly image: ImageReference;
  /** `always` asks the registry even if the engine has an image of that name. */
  readonly policy: PullPolicy;
  readonly onProgress?: (progress: PullProgress) => void;
}

export interface PullProgress {
  /** The layer. Null for the whole image. */
  readonly layer: string | null;
  readonly status: string;
  readonly currentBytes: number | null;
  readonly totalBytes: number | null;
}

/** An image on the engine. */
export interface LocalImage {
  /** `sha256:…`. Containers are always created by this id, because a tag can move. */
  readonly id: string;
  /** Digest of the manifest in the registry. Null for an image that was built on the engine. */
  readonly digest: string | null;
  readonly labels: ReadonlyMap<string, string>;
  /** The variables that the image itself sets. */
  readonly environment?: ReadonlyMap<string, string>;
}

export interface ContainerSpec {
  /** The name on the engine, unique there. */
  readonly name: string;
  readonly owner: ContainerOwner;
  /** The `LocalImage.id`. A tag could have moved since the image was checked. */
  readonly imageId: string;
  readonly plan: ContainerPlan;
  /** The plan's environment with every secret filled in. */
  readonly environment: ReadonlyMap<string, SecretText>;
}

export interface CreatedContainer {
  readonly id: string;
  /** True if an earlier run of the same step had created it. */
  readonly adopted: boolean;
}

export interface ContainerFile {
  /** Absolute, without `..`. Missing parent folders are created. */
  readonly path: string;
  readonly content: SecretText;
  readonly uid: number;
  readonly gid: number;
  /** Permission bits, such as 0o444. */
  readonly mode: number;
}

/**
 * The engine that runs containers. Every operation is idempotent: an existing resource is adopted if its labels say
 * that it is ours and identical, and removing a missing one succeeds. Networks and volumes without our labels are never
 * changed. Containers are addressed by the id that the runtime returned.
 *
 * Every method can reject with `EngineUnavailable`. Other errors are listed at the methods.
 */
export abstract class ContainerRuntime {
  abstract version(signal?: AbortSignal): Promise<EngineVersion>;

  /** Lists resources with our labels, with one call per kind. @param serviceId null for all services */
  abstract listOwned(serviceId: string | null, signal?: AbortSignal): Promise<OwnedResources>;

  /** @throws ImagePullFailed, DiskFull, StepTimedOut */
  abstract pullImage(request: PullRequest, operation: Operation): Promise<LocalImage>;

  /** @returns null if the engine does not have the image */
  abstract inspectImage(image: ImageReference, signal?: AbortSignal): Promise<LocalImage | null>;

  /** Removes the tag of an image, unless a container uses the image. A missing tag is not an error. */
  abstract removeTag(image: ImageReference, operation: Operation): Promise<void>;

  /** @throws ContainerCreateFailed if the name belongs to someone else or no address range is left */
  abstract ensureNetwork(serviceId: string, network: NetworkPlan, operation: Operation): Promise<void>;

  /** @throws VolumeConflict if the name belongs to someone else; DiskFull */
  abstract ensureVolume(serviceId: string, volume: VolumePlan, operation: Operation): Promise<void>;

  /**
   * Creates the container and connects it to all its networks, without starting it. An existing container of this name
   * is adopted if it has the same deployment and spec hash.
   * @throws ContainerCreateFailed if the name belongs to another container or the engine refuses; DiskFull
   */
  abstract createContainer(spec: ContainerSpec, operation: Operation): Promise<CreatedContainer>;

  /** Writes files into a container. @throws FilesAfterStart in a swarm, once it was started; ContainerCreateFailed, DiskFull */
  abstract putFiles(containerId: string, files: readonly ContainerFile[], operation: Operation): Promise<void>;

  /** @throws ContainerStartFailed, PortConflict, DiskFull */
  abstract start(containerId: string, operation: Operation): Promise<void>;

  /** Sends the stop signal and kills the container if it still runs after `graceMs`. */
  abstract stop(containerId: string, graceMs: number, operation: Operation): Promise<void>;

  /** @throws ContainerCreateFailed if the name is taken or the container does not exist */
  abstract rename(containerId: string, name: string, operation: Operation): Promise<void>;

  /** Kills the container if it runs. Named volumes are kept. Anonymous ones, which its image declares, are removed. */
  abstract removeContainer(containerId: string, operation: Operation): Promise<void>;

  /** @returns null if the container does not exist */
  abstract inspect(containerId: string, signal?: AbortSignal): Promise<ContainerDetails | null>;

  /** Disconnects containers that are still connected. */
  abstract removeNetwork(name: string, operation: Operation): Promise<void>;

  /** Removes a network that services share, unless a container is connected to it. */
  abstract removeUnusedNetwork(name: string, operation: Operation): Promise<void>;

  /** @throws VolumeConflict if a container uses it */
  abstract removeVolume(name: string, operation: Operation): Promise<void>;

  /**
   * Disk use by service id. Services that use nothing are omitted. Call it rarely, since the engine reads all files.
   */
  abstract diskUsage(signal?: AbortSignal): Promise<ReadonlyMap<string, DiskUse>>;

  /**
   * Events of our containers, until the signal is aborted. A lost connection is re-established, as often as necessary,
   * and continues where it broke off. There are no events of networks and volumes.
   * @param since null to start now
   */
  abstract events(since: Date | null, signal: AbortSignal): AsyncIterable<RuntimeEvent>;
}
