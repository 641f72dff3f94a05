/** The engine's counters of one container at one moment. Totals grow from the start of the container. */
export interface ContainerSample {
  readonly containerId: string;
  /** The engine's clock. */
  readonly at: Date;
  /** CPU time on all cores together since the start, in nanoseconds. */
  readonly cpuNanos: bigint;
  readonly memory: ContainerMemory;
  readonly network: { readonly rxBytes: number; readonly txBytes: number };
  readonly block: { readonly readBytes: number; readonly writeBytes: number };
  /** Processes and threads. */
  readonly pids: number;
}

export interface ContainerMemory {
  /** Without reclaimable page cache, as `docker stats` shows it, on cgroup v1 and v2. */
  readonly usedBytes: number;
  /** The limit of the container, or the memory of the machine if it has none. */
  readonly limitBytes: number;
}

/** Reads the resource use of containers. */
export abstract class ContainerStats {
  /**
   * A single sample. Unlike `docker stats` it does not wait for a second one.
   * @returns null for a container that does not exist or is not running
   * @throws EngineUnavailable
   */
  abstract sample(containerId: string, signal?: AbortSignal): Promise<ContainerSample | null>;
}
