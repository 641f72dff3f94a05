/** One line of a service's log, in its place among the lines of all containers of the service. */
export interface LogEntry {
  /** Microseconds of the engine's clock, moved on where needed so that it always grows. */
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

  /** True as long as the log has no line before the oldest one here. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  get newest(): LogEntry | undefined {
    return this.#entries.at(-1);
  }

  /** Says that there are lines before those here. */
  truncate(): void {
    this.#isWhole = false;
  }

  push(entry: LogEntry): void {
    this.#entries.push(entry);
    this.#characters += entry.text.length;
    while (this.#entries.length - this.#first > MAX_LINES || this.#characters > MAX_CHARACTERS) this.drop();
    // Taken off in bulk: one by one would move the whole ring for every line.
    if (this.#first >= MAX_LINES) {
      this.#entries = this.#entries.slice(this.#first);
      this.#first = 0;
    }
  }

  last(count: number): readonly LogEntry[] {
    return count === 0 ? [] : this.#entries.slice(Math.max(this.#first, this.#entries.length - count));
  }

  /** @returns null when that line is not here */
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
