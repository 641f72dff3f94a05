import type { ProblemSample } from '../../application/import/ports/import-staging.js';

/** How many problems of one kind are looked at. */
export const SAMPLE = 100;

export interface SampleRow {
  readonly line: number;
  /** How many rows there are in all, as PostgreSQL counts. */
  readonly total: string;
}

export function sampled(rows: readonly SampleRow[], message: string): ProblemSample {
  return { problems: rows.map(({ line }) => ({ line, message })), total: Number(rows[0]?.total ?? 0) };
}
