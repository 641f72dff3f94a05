/** One line in the merged log of all containers of a service. */
export interface LogEntry {
  /** Microseconds of the engine's clock, increased if necessary so that every line has a higher number. */
  readonly seq: number;
  readonly at: Date;
  readonly containerId: string;
  /** The container's name in the plan. */
  readonly container: string;
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

const MAX_LINES = 1_000;
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** The newest lines of a log, bounded in number and size. */
export class LogRing {
  #entries: LogEntry[] = [];
  #first = 0;
  #characters = 0;
  #isWhole = true;

  /** True if the ring contains the log from its first line. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  get newest(): LogEntry | undefined {
    return this.#entries.at(-1);
  }

  /** Records that the log has older lines than the ring. */
  truncate(): void {
    this.#isWhole = false;
  }

  push(entry: LogEntry): void {
    this.#entries.push(entry);
    this.#characters += entry.text.length;
    while (this.#entries.length - this.#first > MAX_LINES || this.#characters > MAX_CHARACTERS) this.drop();
    // Removed in bulk, because removing one by one would copy the whole array for every line.
    if (this.#first >= MAX_LINES) {
      this.#entries = this.#entries.slice(this.#first);
      this.#first = 0;
    }
  }

  last(count: number): readonly LogEntry[] {
    return count === 0 ? [] : this.#entries.slice(Math.max(this.#first, this.#entries.length - count));
  }

  /** The lines after the one with this number. @returns null if that line is not in the ring */
  behind(seq: number): readonly LogEntry[] | null {
    const entries = this.last(MAX_LINES);
    const index = entries.findIndex((entry) => entry.seq >= seq);
    if (index >= 0 && entries[index]!.seq === seq) return entries.slice(index + 1);
    return null;
  }

  private drop(): void {
    this.#characters -= this.#entries[this.#first]!.text.length;
    this.#first += 1;
    this.#isWhole = false;
  }
}
