/** Counters of one container at one moment, as the engine tells them: totals grow from the start of the container. */
export interface ContainerSample {
  readonly containerId: string;
  /** By the engine's clock. */
  readonly at: Date;
  /** Time on all processors together since the start, in nanoseconds. */
  readonly cpuNanos: bigint;
  readonly memory: ContainerMemory;
  readonly network: { readonly rxBytes: number; readonly txBytes: number };
  readonly block: { readonly readBytes: number; readonly writeBytes: number };
  /** Processes and threads. */
  readonly pids: number;
}

export interface ContainerMemory {
  /** Without page cache that can be dropped, as `docker stats` shows it; right on cgroup v1 and v2. */
  readonly usedBytes: number;
  /** Of the container, or the memory of the machine when it has none. */
  readonly limitBytes: number;
}

/** Reads what containers use. Nothing here changes the engine. */
export abstract class ContainerStats {
  /**
   * One look, which does not wait for a second one as `docker stats` does.
   * @returns null for a container that is gone or does not run
   * @throws EngineUnavailable
   */
  abstract sample(containerId: string, signal?: AbortSignal): Promise<ContainerSample | null>;
}
