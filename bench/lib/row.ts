import type { Stage } from './stage.js';

/** What was measured, in the unit of the row. */
export interface Measured {
  readonly ours: number;
  /** Null where there is nothing to compare with. */
  readonly baseline: number | null;
  /** What floor and ambition speak of: ours / baseline (the median of the rounds), or a plain number. */
  readonly judged: number;
}

/** One line of the table of performance.md. */
export interface Row {
  readonly number: string;
  readonly work: string;
  readonly unit: string;
  readonly baseline: string;
  readonly better: 'higher' | 'lower';
  readonly floor: number;
  readonly ambitious: number;
  /** Why it cannot be measured on this machine; null when it can. Left out: it always can. */
  readonly unfit?: () => string | null;
  run(stage: Stage): Promise<Measured>;
}

export function reaches(row: Pick<Row, 'better'>, judged: number, mark: number): boolean {
  return row.better === 'higher' ? judged >= mark : judged <= mark;
}
