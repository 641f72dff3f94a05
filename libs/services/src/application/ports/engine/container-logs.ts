export interface LogLine {
  readonly containerId: string;
  readonly stream: 'stdout' | 'stderr';
  /** The engine's clock, in microseconds since 1970, rounded down. */
  readonly atMicros: number;
  /** Without its line end. Untrusted, because the container writes it. The engine cuts lines at 16 KiB. */
  readonly text: string;
}

export interface LogRange {
  /** Maximum number of existing lines. The newest are returned. Infinity for all. */
  readonly tail: number;
  /** Only lines after this time, in microseconds since 1970, exclusive. Null for no limit. */
  readonly afterMicros: number | null;
}

/** Reads the logs of containers. */
export abstract class ContainerLogs {
  /**
   * The existing lines, oldest first. Empty for a container that no longer exists.
   * @throws EngineUnavailable
   */
  abstract recent(containerId: string, range: LogRange, signal?: AbortSignal): Promise<readonly LogLine[]>;

  /**
   * The existing lines and then new ones, until the container exits or is removed, or until the signal is aborted. A
   * slow reader slows the stream down and misses nothing.
   * @throws EngineUnavailable, also in the middle of the stream
   */
  abstract follow(containerId: string, range: LogRange, signal: AbortSignal): AsyncIterable<LogLine>;
}
