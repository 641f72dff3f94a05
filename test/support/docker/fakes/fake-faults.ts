/** Simulates that the process of the caller dies at this call. */
export class SimulatedCrash extends Error {
  constructor(call: string) {
    super(`simulated crash at ${call}`);
  }
}

type Fault =
  | { readonly kind: 'error'; readonly error: Error }
  | { readonly kind: 'hang'; readonly begun: () => void }
  | { readonly kind: 'crash-before' | 'crash-after' };

/** The calls of a fake that will fail. Each fault happens once. */
export class FakeFaults {
  readonly #planned = new Map<string, Fault>();
  readonly #counts = new Map<string, number>();

  /** @param nth which of the following calls fails; 1 is the next one */
  fail(call: string, error: Error, nth = 1): void {
    this.#plan(call, nth, { kind: 'error', error });
  }

  /**
   * The call has no effect and ends only when the caller's signal is aborted.
   * @returns resolves when the call has started
   */
  hang(call: string, nth = 1): Promise<void> {
    return new Promise((begun) => this.#plan(call, nth, { kind: 'hang', begun }));
  }

  /** The call throws `SimulatedCrash` without effect. */
  crashBefore(call: string, nth = 1): void {
    this.#plan(call, nth, { kind: 'crash-before' });
  }

  /** The call has its full effect, and then throws `SimulatedCrash`. */
  crashAfter(call: string, nth = 1): void {
    this.#plan(call, nth, { kind: 'crash-after' });
  }

  async strike<T>(call: string, signal: AbortSignal | undefined, effect: () => T | Promise<T>): Promise<T> {
    const fault = this.#take(call);
    if (fault?.kind === 'error') throw fault.error;
    if (fault?.kind === 'hang') {
      fault.begun();
      await untilAborted(signal);
    }
    if (fault?.kind === 'crash-before') throw new SimulatedCrash(call);
    const result = await effect();
    if (fault?.kind === 'crash-after') throw new SimulatedCrash(call);
    return result;
  }

  #plan(call: string, nth: number, fault: Fault): void {
    this.#planned.set(`${call} ${(this.#counts.get(call) ?? 0) + nth}`, fault);
  }

  #take(call: string): Fault | undefined {
    const count = (this.#counts.get(call) ?? 0) + 1;
    this.#counts.set(call, count);
    const key = `${call} ${count}`;
    const fault = this.#planned.get(key);
    this.#planned.delete(key);
    return fault;
  }
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal?.reason as Error);
    if (signal?.aborted) end();
    signal?.addEventListener('abort', end, { once: true });
  });
}
