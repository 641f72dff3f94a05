import type { FeedEntry, FeedReader } from '../ports/realtime/feed-reader.js';

const MAX_AT_ONCE = 500;
/** How many entries are read again at the start: one before the newest may not have been committed yet. */
const LOOK_BACK = 200;

/** Missing numbers, and the transactions that could still commit them. */
interface Hole {
  readonly upTo: number;
  readonly writers: ReadonlySet<string>;
}

/**
 * Reads the feed in the order of its numbers, each entry once. A number is assigned before its transaction commits, so
 * a missing number is awaited until all transactions that were writing when it was found missing have ended.
 */
export class FeedTail {
  #position = 0;
  #hole: Hole | null = null;

  constructor(private readonly reader: FeedReader) {}

  /** All entries up to this number have been returned. */
  get position(): number {
    return this.#position;
  }

  /** Begins shortly before the end of the feed. */
  async begin(): Promise<void> {
    this.#position = Math.max(0, (await this.reader.newest()) - LOOK_BACK);
  }

  /** The entries that became available since the last call. */
  async read(): Promise<readonly FeedEntry[]> {
    const told: FeedEntry[] = [];
    for (;;) {
      const settled = await this.settled();
      const seen = await this.reader.after(this.#position, MAX_AT_ONCE);
      const held = this.take(seen, settled, told);
      if (held === null) {
        this.#hole = null;
        if (seen.length < MAX_AT_ONCE) return told;
        continue;
      }
      const writers = await this.reader.writers();
      this.#hole = { upTo: held, writers };
      // No transaction is writing any more, so the next read shows what they committed.
      if (writers.size > 0) return told;
    }
  }

  /** Numbers up to here that are still missing will never appear: their transactions were rolled back. */
  private async settled(): Promise<number> {
    if (!this.#hole) return 0;
    const { upTo, writers } = this.#hole;
    if (writers.size === 0) return upTo;
    const still = await this.reader.writers();
    return [...writers].some((writer) => still.has(writer)) ? 0 : upTo;
  }

  /** @returns the highest number seen after a missing one; null if none is missing */
  private take(seen: readonly FeedEntry[], settled: number, told: FeedEntry[]): number | null {
    for (const entry of seen) {
      if (entry.seq !== this.#position + 1 && entry.seq > settled) return seen.at(-1)!.seq;
      told.push(entry);
      this.#position = entry.seq;
    }
    return null;
  }
}
