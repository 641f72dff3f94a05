export interface LogLine {
  readonly containerId: string;
  readonly stream: 'stdout' | 'stderr';
  /** By the engine's clock, to the microsecond: the nanoseconds that it also knows are cut off. */
  readonly atMicros: number;
  /** Without its line end; written by the container, so never to be trusted. Cut at 16 KiB, as the engine cuts it. */
  readonly text: string;
}

export interface LogRange {
  /** Lines of before now: at most so many, the newest; Infinity for all of them. */
  readonly tail: number;
  /** Only lines after this moment (microseconds since 1970, exclusive); null for no such bound. */
  readonly afterMicros: number | null;
}

/** Reads what containers wrote. Nothing here changes the engine. */
export abstract class ContainerLogs {
  /**
   * What the container has written so far, oldest first; nothing for a container that is gone.
   * @throws EngineUnavailable
   */
  abstract recent(containerId: string, range: LogRange, signal?: AbortSignal): Promise<readonly LogLine[]>;

  /**
   * The same lines, then those it writes from now on, until it ends, is removed, or the signal ends the iteration.
   * Reading slowly slows the engine's stream down and loses nothing.
   * @throws EngineUnavailable also in the middle of the stream
   */
  abstract follow(containerId: string, range: LogRange, signal: AbortSignal): AsyncIterable<LogLine>;
}
