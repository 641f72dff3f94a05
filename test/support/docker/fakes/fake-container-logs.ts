import { EngineUnavailable } from '../../../../libs/services/src/application/ports/engine/container-runtime-errors.js';
import {
  ContainerLogs,
  type LogLine,
  type LogRange,
} from '../../../../libs/services/src/application/ports/engine/container-logs.js';

const MAX_LINE_LENGTH = 16_384;

interface Written {
  readonly lines: LogLine[];
  isRunning: boolean;
}

/** Logs in memory. While `isAway` is true, every stream fails, as if the engine were down. */
export class FakeContainerLogs extends ContainerLogs {
  isAway = false;
  /** Number of streams that were started. */
  followed = 0;
  readonly #containers = new Map<string, Written>();
  #waiting: (() => void)[] = [];

  start(containerId: string): string {
    const known = this.#containers.get(containerId);
    this.#containers.set(containerId, { lines: known?.lines ?? [], isRunning: true });
    this.#wake();
    return containerId;
  }

  /** @param atMicros defaults to now */
  write(containerId: string, text: string, stream: LogLine['stream'] = 'stdout', atMicros = Date.now() * 1000): void {
    const pieces = text.match(new RegExp(`[^]{1,${MAX_LINE_LENGTH}}`, 'g')) ?? [''];
    for (const piece of pieces) this.#of(containerId).lines.push({ containerId, stream, atMicros, text: piece });
    this.#wake();
  }

  end(containerId: string): void {
    this.#of(containerId).isRunning = false;
    this.#wake();
  }

  remove(containerId: string): void {
    this.#containers.delete(containerId);
    this.#wake();
  }

  /** Breaks every stream, until `comeBack`. */
  goAway(): void {
    this.isAway = true;
    this.#wake();
  }

  comeBack(): void {
    this.isAway = false;
  }

  recent(containerId: string, { tail, afterMicros }: LogRange): Promise<readonly LogLine[]> {
    if (this.isAway) return Promise.reject(new EngineUnavailable('away'));
    const lines = this.#containers.get(containerId)?.lines ?? [];
    const last = tail === 0 ? [] : lines.slice(Number.isFinite(tail) ? -tail : 0);
    return Promise.resolve(last.filter(({ atMicros }) => afterMicros === null || atMicros > afterMicros));
  }

  async *follow(containerId: string, range: LogRange, signal: AbortSignal): AsyncGenerator<LogLine> {
    this.followed += 1;
    const written = this.#containers.get(containerId);
    const known = written?.lines.length ?? 0;
    yield* await this.recent(containerId, range);
    for (let at = known; written;) {
      if (this.isAway) throw new EngineUnavailable('away');
      if (signal.aborted) return;
      const line = written.lines[at];
      if (line) {
        at += 1;
        yield line;
      } else if (!written.isRunning || this.#containers.get(containerId) !== written) return;
      else await this.#changed(signal);
    }
  }

  #of(containerId: string): Written {
    const written = this.#containers.get(containerId);
    if (!written) throw new Error(`no container ${containerId}`);
    return written;
  }

  #changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
