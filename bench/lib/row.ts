import type { Stage } from './stage.js';

/** A measurement, in the unit of the row. */
export interface Measured {
  readonly ours: number;
  /** Null without a baseline. */
  readonly baseline: number | null;
  /** The value compared with floor and ambition: ours / baseline (the median of the rounds), or a plain number. */
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
  /** Why it cannot be measured on this machine; null if it can. Omitted: it always can. */
  readonly unfit?: () => string | null;
  run(stage: Stage): Promise<Measured>;
}

export function reaches(row: Pick<Row, 'better'>, judged: number, mark: number): boolean {
  return row.better === 'higher' ? judged >= mark : judged <= mark;
}
