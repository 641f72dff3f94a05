import type { SealContext } from '../key-ring.js';

/** One column of sealed values. The names are ours, because they become part of SQL statements. */
export interface SealedKind {
  /** What is lost if it cannot be opened. */
  readonly what: string;
  /** `schema.table` */
  readonly table: string;
  readonly column: string;
  /** Identifies the row in the seal: a column, or an SQL expression. */
  readonly rowId: string;
  readonly purpose: string;
  /** The column's name in the seal, if it differs. */
  readonly sealedAs?: string;
  /** Only these rows count; all if omitted. */
  readonly where?: string;
}

/** What the seal of a value of this kind contains. */
export function sealContext({ purpose, table, column, sealedAs }: SealedKind, rowId: string): SealContext {
  return { purpose, table, column: sealedAs ?? column, rowId };
}

/** Runs one statement: a data source, or the writer of a transaction. */
export interface Queryable {
  query<T>(sql: string, parameters?: unknown[]): Promise<T>;
}
