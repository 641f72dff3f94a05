import type { SecretText } from '#kernel/crypto/secret-text';
import type { ContainerFile } from './container-runtime.js';

/** A temporary container: no network, no named volume, its own limits. */
export interface ScratchContainer {
  /** Its purpose. Containers of one purpose are removed together. */
  readonly purpose: string;
  /** `sha256:…` of an image that the engine has. */
  readonly imageId: string;
  readonly command: readonly string[] | null;
  readonly environment: ReadonlyMap<string, SecretText>;
  readonly files: readonly ContainerFile[];
  readonly cpuCores: number;
  readonly memoryMb: number;
  readonly shmMb: number | null;
}

export interface ScratchState {
  readonly isRunning: boolean;
  readonly exitCode: number | null;
  /** The container, or a process in it, exceeded the memory limit. */
  readonly oomKilled: boolean;
}

/** Temporary containers. They belong to no service, so the reconciler ignores them. */
export abstract class ScratchContainers {
  /** Creates and starts one. @returns its id @throws ContainerCreateFailed, ContainerStartFailed, DiskFull */
  abstract start(container: ScratchContainer, signal?: AbortSignal): Promise<string>;
  /** Stops the container, and kills it if it does not stop in time. */
  abstract stop(containerId: string, signal?: AbortSignal): Promise<void>;
  /** Starts a stopped container. */
  abstract startAgain(containerId: string, signal?: AbortSignal): Promise<void>;
  /** Null if it no longer exists. */
  abstract look(containerId: string, signal?: AbortSignal): Promise<ScratchState | null>;
  /** Removes the container and everything that it has written. */
  abstract remove(containerId: string): Promise<void>;
  /** Removes the containers that a dead worker left behind. @returns how many */
  abstract removeAll(purpose: string, signal?: AbortSignal): Promise<number>;
}
