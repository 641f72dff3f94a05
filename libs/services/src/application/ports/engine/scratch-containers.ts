import type { SecretText } from '#kernel/crypto/secret-text';
import type { ContainerFile } from './container-runtime.js';

/** A container for a trial: no network, no named volume, limits of its own, and nobody misses it. */
export interface ScratchContainer {
  /** What it is for; those of one purpose are removed together. */
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
  /** It, or a process in it, wanted more memory than it may have. */
  readonly oomKilled: boolean;
}

/** Containers that are thrown away. The reconciler does not know them: they belong to no service. */
export abstract class ScratchContainers {
  /** Makes and starts one. @returns its id @throws ContainerCreateFailed, ContainerStartFailed, DiskFull */
  abstract start(container: ScratchContainer, signal?: AbortSignal): Promise<string>;
  /** Asks it to end, and kills it when it does not. */
  abstract stop(containerId: string, signal?: AbortSignal): Promise<void>;
  /** Starts one that has ended. */
  abstract startAgain(containerId: string, signal?: AbortSignal): Promise<void>;
  /** Null when it is gone. */
  abstract look(containerId: string, signal?: AbortSignal): Promise<ScratchState | null>;
  /** With everything that it has written. */
  abstract remove(containerId: string): Promise<void>;
  /** Removes those that a worker that died left behind. @returns how many */
  abstract removeAll(purpose: string, signal?: AbortSignal): Promise<number>;
}
