import type { ContainerLogs, LogLine } from '../ports/engine/container-logs.js';

const FIRST_RETRY_MS = 100;
const SLOWEST_RETRY_MS = 2_000;

/**
 * Reads the log of one container as long as it exists, across restarts of the container and of the engine. Returns
 * every line once, in the order of the log.
 */
export class ContainerFollower {
  readonly #end = new AbortController();
  #last: number | null = null;
  /** Number of lines with the time stamp `#last`, because the engine can only resume at a time stamp. */
  #sameStamp = 0;
  #wake: (() => void) | null = null;
  #isAwaited = false;
  #isGone = false;

  constructor(
    private readonly logs: ContainerLogs,
    readonly containerId: string,
    private readonly onLine: (line: LogLine) => void,
  ) {}

  /** Counts a line as read. */
  note({ atMicros }: LogLine): void {
    this.#sameStamp = atMicros === this.#last ? this.#sameStamp + 1 : 1;
    this.#last = atMicros;
  }

  /** Ends when `stop` or `retire` is called. */
  async run(): Promise<void> {
    const { signal } = this.#end;
    let retryMs = FIRST_RETRY_MS;
    while (!signal.aborted) {
      this.#isAwaited = false;
      try {
        await this.read(signal);
        retryMs = FIRST_RETRY_MS;
        if (this.#isGone) return;
        await this.untilWoken(null);
      } catch {
        // The engine is down or restarting.
        if (signal.aborted || this.#isGone) return;
        await this.untilWoken(retryMs);
        retryMs = Math.min(retryMs * 2, SLOWEST_RETRY_MS);
      }
    }
  }

  /** The container may be running again, so there may be more to read. */
  wake(): void {
    this.#isAwaited = true;
    this.#wake?.();
  }

  /** The container was removed. What the engine still sends is the end of its log. */
  retire(): void {
    this.#isGone = true;
    this.wake();
  }

  stop(): void {
    this.#end.abort();
    this.#wake?.();
  }

  private async read(signal: AbortSignal): Promise<void> {
    const last = this.#last;
    let known = this.#sameStamp;
    const range = { tail: Infinity, afterMicros: last === null ? null : last - 1 };
    for await (const line of this.logs.follow(this.containerId, range, signal)) {
      if (signal.aborted) return;
      if (known > 0 && line.atMicros === last) {
        known -= 1;
        continue;
      }
      known = 0;
      this.note(line);
      this.onLine(line);
    }
  }

  private untilWoken(limitMs: number | null): Promise<void> {
    if (this.#isAwaited || this.#end.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = limitMs === null ? undefined : setTimeout(() => this.#wake?.(), limitMs);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
    });
  }
}
