import type { Money } from '#kernel/money/money';
import type { StatementSink } from '../domain/statements/statement-calculator.js';
import type { StatementLine, StatementPart } from '../domain/statements/statement-line.js';
import type { StatementState } from '../domain/statements/statement.js';
import type { StoredLine } from './ports/figures-store.js';
import { DigestingSink, type Digests } from './statement-digests.js';

/** A few megabytes. Only a few partners are finalized at the same time. */
const MAX_PARTS = 10_000;

/**
 * Keeps the parts of a statement while it is computed, to digest its files afterwards: the files begin with totals that
 * are known only at the end. A statement with too many parts is read a second time instead.
 */
export class BufferedFigures implements StatementSink {
  #parts: StatementPart[] | null = [];
  #lines: StatementLine[] = [];

  /** @param maxParts with more parts, nothing is kept */
  constructor(private readonly maxParts = MAX_PARTS) {}

  part(part: StatementPart): void {
    if (this.#parts && this.#parts.push(part) > this.maxParts) this.#parts = null;
  }

  line(line: StatementLine): void {
    this.#lines.push(line);
  }

  /** Call it before they are computed again. */
  clear(): void {
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
