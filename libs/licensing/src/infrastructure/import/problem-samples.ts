import type { ProblemSample } from '../../application/import/ports/import-staging.js';

/** How many problems of one kind are read. */
export const SAMPLE = 100;

export interface SampleRow {
  readonly line: number;
  /** The total number of rows, as PostgreSQL counts them. */
  readonly total: string;
}

export function sampled(rows: readonly SampleRow[], message: string): ProblemSample {
  return { problems: rows.map(({ line }) => ({ line, message })), total: Number(rows[0]?.total ?? 0) };
}
