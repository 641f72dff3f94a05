import type { SealContext } from '../key-ring.js';

/** One column of sealed values. Its names are ours: they become part of statements. */
export interface SealedKind {
  /** What people lose when it cannot be opened. */
  readonly what: string;
  /** `schema.table` */
  readonly table: string;
  readonly column: string;
  /** Names the row as the seal names it: a column, or an SQL expression. */
  readonly rowId: string;
  readonly purpose: string;
  /** The column's name in the seal, where it is another one. */
  readonly sealedAs?: string;
  /** Rows that still count, when not all do. */
  readonly where?: string;
}

/** What the seal of a value of this kind says. */
export function sealContext({ purpose, table, column, sealedAs }: SealedKind, rowId: string): SealContext {
  return { purpose, table, column: sealedAs ?? column, rowId };
}

/** Runs one statement: a data source, or the writer of a transaction. */
export interface Queryable {
  query<T>(sql: string, parameters?: unknown[]): Promise<T>;
}
