import type { Money } from '#kernel/money/money';
import type { StatementSink } from '../domain/statements/statement-calculator.js';
import type { StatementLine, StatementPart } from '../domain/statements/statement-line.js';
import type { StatementState } from '../domain/statements/statement.js';
import type { StoredLine } from './ports/figures-store.js';
import { DigestingSink, type Digests } from './statement-digests.js';

/** Some megabytes; a few partners are finalized at a time. */
const MAX_PARTS = 10_000;

/**
 * Remembers the parts of a statement while it is computed. Its files begin with sums that are known only at the end,
 * and few statements are so large that they must be computed or read a second time for that.
 */
export class RecalledFigures implements StatementSink {
  #parts: StatementPart[] | null = [];
  #lines: StatementLine[] = [];

  /** @param mostParts above this number nothing is remembered */
  constructor(private readonly mostParts = MAX_PARTS) {}

  part(part: StatementPart): void {
    if (this.#parts && this.#parts.push(part) > this.mostParts) this.#parts = null;
  }

  line(line: StatementLine): void {
    this.#lines.push(line);
  }

  /** Call it before they are computed again. */
  forget(): void {
    this.#parts = [];
    this.#lines = [];
  }

  /**
   * The digests of the statement's files; null if there were too many parts.
   * @param stored the stored lines
   */
  digests(state: StatementState, totals: readonly Money[], stored: readonly StoredLine[]): Digests | null {
    if (!this.#parts) return null;
    const digesting = new DigestingSink(state, totals, stored);
    const parts = this.#parts.values();
    let next = parts.next().value;
    for (const line of this.#lines) {
      for (; next?.contractId === line.contractId; next = parts.next().value) digesting.part(next);
      digesting.line(line);
    }
    return digesting.finish();
  }
}
