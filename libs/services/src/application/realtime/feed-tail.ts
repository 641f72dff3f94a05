import type { FeedEntry, FeedReader } from '../ports/realtime/feed-reader.js';

const MAX_AT_ONCE = 500;
/** Read once more at the start: an entry that was not committed yet may stand before the newest one. */
const LOOK_BACK = 200;

/** Numbers that nobody can see yet, and who could still commit them. */
interface Hole {
  readonly upTo: number;
  readonly writers: ReadonlySet<string>;
}

/**
 * Follows the feed by number: each entry once, none before one with a lower number. A number is given before its
 * transaction commits, so a missing one is waited for until all who wrote when it was missed are done.
 */
export class FeedTail {
  #position = 0;
  #hole: Hole | null = null;

  constructor(private readonly reader: FeedReader) {}

  /** All entries up to this number have been given out. */
  get position(): number {
    return this.#position;
  }

  /** Begins shortly before the end of the feed. */
  async begin(): Promise<void> {
    this.#position = Math.max(0, (await this.reader.newest()) - LOOK_BACK);
  }

  /** What can be told since the last call. */
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
      // Nobody writes any more: the next look shows what they committed.
      if (writers.size > 0) return told;
    }
  }

  /** Up to here a number that cannot be seen now will never be seen. */
  private async settled(): Promise<number> {
    if (!this.#hole) return 0;
    const { upTo, writers } = this.#hole;
    if (writers.size === 0) return upTo;
    const still = await this.reader.writers();
    return [...writers].some((writer) => still.has(writer)) ? 0 : upTo;
  }

  /** @returns the highest number that was seen behind a hole; null without a hole */
  private take(seen: readonly FeedEntry[], settled: number, told: FeedEntry[]): number | null {
    for (const entry of seen) {
      if (entry.seq !== this.#position + 1 && entry.seq > settled) return seen.at(-1)!.seq;
      told.push(entry);
      this.#position = entry.seq;
    }
    return null;
  }
}
