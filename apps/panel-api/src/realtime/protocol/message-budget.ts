const SECONDS_AT_ONCE = 3;

/** How many messages a client may still send. Uses a monotonic clock. */
export class MessageBudget {
  #left: number;
  #at = performance.now();

  constructor(private readonly perSecond: number) {
    this.#left = perSecond * SECONDS_AT_ONCE;
  }

  /** @returns false if none is left */
  take(now = performance.now()): boolean {
    const gained = ((now - this.#at) / 1000) * this.perSecond;
    this.#left = Math.min(this.perSecond * SECONDS_AT_ONCE, this.#left + gained);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
