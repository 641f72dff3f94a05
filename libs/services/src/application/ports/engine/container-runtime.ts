import type { SecretText } from '#kernel/crypto/secret-text';
import type { ContainerPlan, ImageReference, NetworkPlan, VolumePlan } from '../../../domain/service-plan.js';
import type { ContainerDetails, ContainerOwner, DiskUse, OwnedResources, RuntimeEvent } from './container-state.js';

/**
 * Runs right before every call that changes the engine and throws when the caller may no longer act: its lease ran
 * out, its deployment was cancelled. What it throws reaches the caller as it is, and nothing was changed.
 */
export type OperationGuard = () => Promise<void>;

export interface Operation {
  readonly guard: OperationGuard;
  /** Ends the wait; the call then rejects with the signal's reason. What the engine had begun it may still finish. */
  readonly signal?: AbortSignal;
}

export interface EngineVersion {
  readonly engine: string;
  /** What both sides speak, `1.41`. */
  readonly api: string;
}

export type PullPolicy = 'always' | 'if-missing';

export interface PullRequest {
  readonly image: ImageReference;
  /** `always` asks the registry even when the engine already has something under that name. */
  readonly policy: PullPolicy;
  readonly onProgress?: (progress: PullProgress) => void;
}

export interface PullProgress {
  /** Layer, or null for the image as a whole. */
  readonly layer: string | null;
  readonly status: string;
  readonly currentBytes: number | null;
  readonly totalBytes: number | null;
}

/** An image on the engine, named by what cannot move. */
export interface LocalImage {
  /** `sha256:…`; the only name by which containers are made. */
  readonly id: string;
  /** Of the manifest in the registry; null for an image that was made on the engine itself. */
  readonly digest: string | null;
  readonly labels: ReadonlyMap<string, string>;
  /** The variables that the image itself sets. */
  readonly environment?: ReadonlyMap<string, string>;
}

export interface ContainerSpec {
  /** On the engine; unique there. */
  readonly name: string;
  readonly owner: ContainerOwner;
  /** `LocalImage.id`: a tag could have moved since the image was checked. */
  readonly imageId: string;
  readonly plan: ContainerPlan;
  /** The plan's environment with every secret filled in. */
  readonly environment: ReadonlyMap<string, SecretText>;
}

export interface CreatedContainer {
  readonly id: string;
  /** It stood there already, made by an earlier run of the same step. */
  readonly adopted: boolean;
}

export interface ContainerFile {
  /** Absolute, without `..`; missing folders above it are made. */
  readonly path: string;
  readonly content: SecretText;
  readonly uid: number;
  readonly gid: number;
  /** Permission bits, 0o444. */
  readonly mode: number;
}

/**
 * The engine that runs containers, in words of the panel. Every operation may be repeated: what stands already is
 * adopted when the labels say that it is ours and the same, what is gone already counts as removed. A network or volume
 * without our labels is never changed; a container is named by the id that the runtime gave for it.
 *
 * Every method rejects with `EngineUnavailable` when no engine answers in time; further errors stand at the method.
 */
export abstract class ContainerRuntime {
  abstract version(signal?: AbortSignal): Promise<EngineVersion>;

  /** One engine call for each kind, for one service or (null) for all of them. */
  abstract listOwned(serviceId: string | null, signal?: AbortSignal): Promise<OwnedResources>;

  /** @throws ImagePullFailed, DiskFull, StepTimedOut */
  abstract pullImage(request: PullRequest, operation: Operation): Promise<LocalImage>;

  /** @returns null for an image that the engine does not have */
  abstract inspectImage(image: ImageReference, signal?: AbortSignal): Promise<LocalImage | null>;

  /** Takes the tag from an image that no container uses. A tag that is gone already is no error. */
  abstract removeTag(image: ImageReference, operation: Operation): Promise<void>;

  /** @throws ContainerCreateFailed when the name belongs to someone else or no address range is left */
  abstract ensureNetwork(serviceId: string, network: NetworkPlan, operation: Operation): Promise<void>;

  /** @throws VolumeConflict when the name belongs to someone else; DiskFull */
  abstract ensureVolume(serviceId: string, volume: VolumePlan, operation: Operation): Promise<void>;

  /**
   * Makes the container, joined to all its networks and not started. A container of this name is adopted when it has
   * the same deployment and spec hash.
   * @throws ContainerCreateFailed when the name belongs to another one, or the engine refuses; DiskFull
   */
  abstract createContainer(spec: ContainerSpec, operation: Operation): Promise<CreatedContainer>;

  /** Writes into a container that has not been started. @throws ContainerCreateFailed, DiskFull */
  abstract putFiles(containerId: string, files: readonly ContainerFile[], operation: Operation): Promise<void>;

  /** @throws ContainerStartFailed, PortConflict, DiskFull */
  abstract start(containerId: string, operation: Operation): Promise<void>;

  /** Asks the container to end and kills it after `graceMs`. */
  abstract stop(containerId: string, graceMs: number, operation: Operation): Promise<void>;

  /** @throws ContainerCreateFailed when the name is taken or the container is gone */
  abstract rename(containerId: string, name: string, operation: Operation): Promise<void>;

  /** Kills the container if it runs. Its named volumes stay; unnamed ones, which its image asked for, go with it. */
  abstract removeContainer(containerId: string, operation: Operation): Promise<void>;

  /** @returns null for a container that is gone */
  abstract inspect(containerId: string, signal?: AbortSignal): Promise<ContainerDetails | null>;

  /** Cuts off whatever is still attached. */
  abstract removeNetwork(name: string, operation: Operation): Promise<void>;

  /** Removes a network that services share, if no container belongs to it any more. */
  abstract removeUnusedNetwork(name: string, operation: Operation): Promise<void>;

  /** @throws VolumeConflict while a container uses it */
  abstract removeVolume(name: string, operation: Operation): Promise<void>;

  /**
   * By service; one that keeps nothing there is left out. The engine walks through all files for it, so it is asked
   * rarely.
   */
  abstract diskUsage(signal?: AbortSignal): Promise<ReadonlyMap<string, DiskUse>>;

  /**
   * What happens to our containers, from `since` (null: from now) until the signal ends the iteration. A lost
   * connection is taken up again, without end, where it broke off. Networks and volumes are not told of.
   */
  abstract events(since: Date | null, signal: AbortSignal): AsyncIterable<RuntimeEvent>;
}
