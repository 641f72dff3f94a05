export interface TurnLimits {
  /** How many tasks run at once, in total and for each tenant, so that other tenants find a free slot. */
  readonly atOnce: number;
  readonly atOnceOfOne: number;
  readonly waitingOfOne: number;
  readonly longestWaitMs: number;
}

interface Waiting {
  readonly start: () => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Schedules work fairly between tenants: a tenant with many tasks waits only for itself. A tenant with too many waiting
 * tasks, or a task that has waited too long, is refused.
 */
export class FairTurns {
  /** The tenants in the order of their next turn. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #working = new Map<string, number>();
  #total = 0;

  /** @param busy creates the error for a refused task */
  constructor(
    private readonly limits: TurnLimits,
    private readonly busy: () => Error,
  ) {}

  async run<T>(tenant: string, work: () => Promise<T>): Promise<T> {
    await this.turnOf(tenant);
    try {
      return await work();
    } finally {
      this.#total -= 1;
      this.count(tenant, -1);
      this.startNext();
    }
  }

  private turnOf(tenant: string): Promise<void> {
    if (!this.#waiting.has(tenant) && this.hasRoom(tenant)) {
      this.take(tenant);
      return Promise.resolve();
    }
    const queue = this.#waiting.get(tenant) ?? [];
    if (queue.length >= this.limits.waitingOfOne) return Promise.reject(this.busy());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.leave(tenant, entry);
        reject(this.busy());
      }, this.limits.longestWaitMs);
      const entry: Waiting = { start: resolve, timer };
      this.#waiting.set(tenant, [...queue, entry]);
    });
  }

  private startNext(): void {
    for (const [tenant, queue] of this.#waiting) {
      const [first] = queue;
      if (!first || !this.hasRoom(tenant)) continue;
      clearTimeout(first.timer);
      // The tenant goes to the end of the queue with its remaining tasks.
      this.#waiting.delete(tenant);
      if (queue.length > 1) this.#waiting.set(tenant, queue.slice(1));
      this.take(tenant);
      first.start();
      return;
    }
  }

  private leave(tenant: string, entry: Waiting): void {
    const rest = (this.#waiting.get(tenant) ?? []).filter((one) => one !== entry);
    if (rest.length > 0) this.#waiting.set(tenant, rest);
    else this.#waiting.delete(tenant);
  }

  private hasRoom(tenant: string): boolean {
    return this.#total < this.limits.atOnce && (this.#working.get(tenant) ?? 0) < this.limits.atOnceOfOne;
  }

  private take(tenant: string): void {
    this.#total += 1;
    this.count(tenant, 1);
  }

  private count(tenant: string, change: number): void {
    const now = (this.#working.get(tenant) ?? 0) + change;
    if (now > 0) this.#working.set(tenant, now);
    else this.#working.delete(tenant);
  }
}
