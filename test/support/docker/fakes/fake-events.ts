import type {
  ContainerEvent,
  RuntimeEvent,
} from '../../../../libs/services/src/application/ports/engine/container-state.js';

/** Sends events to all listeners. A listener can also get earlier events. */
export class FakeEvents {
  readonly #past: ContainerEvent[] = [];
  readonly #listeners = new Set<(event: RuntimeEvent) => void>();

  tell(event: ContainerEvent): void {
    this.#past.push(event);
    for (const listener of this.#listeners) listener(event);
  }

  /** Simulates a connection that was lost and is back. */
  resume(): void {
    for (const listener of this.#listeners) listener({ kind: 'resumed' });
  }

  async *listen(since: Date | null, signal: AbortSignal): AsyncGenerator<RuntimeEvent> {
    const waiting: RuntimeEvent[] = since ? this.#past.filter(({ at }) => at >= since) : [];
    let wake: () => void = () => undefined;
    const listener = (event: RuntimeEvent) => {
      waiting.push(event);
      wake();
    };
    const end = () => wake();
    this.#listeners.add(listener);
    signal.addEventListener('abort', end);
    try {
      while (!signal.aborted) {
        const next = waiting.shift();
        if (next) yield next;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      this.#listeners.delete(listener);
      signal.removeEventListener('abort', end);
    }
  }
}
