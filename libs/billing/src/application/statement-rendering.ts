import type { Money } from '#kernel/money/money';
import { StatementCsv } from '../domain/statements/statement-csv.js';
import { StatementJson } from '../domain/statements/statement-json.js';
import type { StatementState } from '../domain/statements/statement.js';
import type { PrintedPart, StoredLine } from './ports/figures-store.js';

/** A file of a statement, written in this order: open, then for each line begin, its parts, end; close. */
export interface StatementRendering {
  open(): string;
  beginLine(line: StoredLine): string;
  part(part: PrintedPart, line: StoredLine): string;
  endLine(line: StoredLine): string;
  close(): string;
}

export class CsvRendering implements StatementRendering {
  private readonly csv: StatementCsv;

  constructor(state: StatementState) {
    this.csv = new StatementCsv(state);
  }

  open(): string {
    return this.csv.header();
  }

  beginLine(): string {
    return '';
  }

  part(part: PrintedPart, line: StoredLine): string {
    return this.csv.part(part, line);
  }

  endLine(line: StoredLine): string {
    return this.csv.line(line);
  }

  close(): string {
    return '';
  }
}

export class JsonRendering implements StatementRendering {
  private readonly json = new StatementJson();

  /** @param head the text before the lines */
  constructor(private readonly head: (json: StatementJson) => string) {}

  static ofStatement(state: StatementState, totals: readonly Money[]): JsonRendering {
    return new JsonRendering((json) => json.open(state, totals));
  }

  open(): string {
    return this.head(this.json);
  }

  beginLine(line: StoredLine): string {
    return this.json.line(line);
  }

  part(part: PrintedPart): string {
    return this.json.part(part);
  }

  endLine(): string {
    return '';
  }

  close(): string {
    return this.json.close();
  }
}
