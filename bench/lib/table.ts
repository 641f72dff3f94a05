import Table from 'cli-table3';
import { reaches, type Measured, type Row } from './row.js';

export interface Outcome {
  readonly row: Row;
  readonly measured: Measured;
}

export const passes = ({ row, measured }: Outcome) => reaches(row, measured.judged, row.floor);

/** For humans: one line per row. */
export function printable(outcomes: readonly Outcome[]): string {
  const table = new Table({
    head: ['#', 'work', 'unit', 'ours', 'baseline', 'judged', 'floor', 'ambitious', ''],
    style: { head: [], border: [] },
    colAligns: ['right', 'left', 'left', 'right', 'right', 'right', 'right', 'right', 'left'],
  });
  for (const { row, measured } of outcomes) {
    const { ours, baseline, judged } = measured;
    table.push([
      row.number,
      row.work,
      row.unit,
      readable(ours),
      baseline === null ? '-' : readable(baseline),
      readable(judged),
      row.floor,
      row.ambitious,
      verdict(row, judged),
    ]);
  }
  return table.toString();
}

/** For programs: the same, by name. */
export function document(outcomes: readonly Outcome[]): object[] {
  return outcomes.map(({ row, measured }) => {
    const { number, work, unit, baseline, better, floor, ambitious } = row;
    const verdictOfRow = verdict(row, measured.judged);
    return { number, work, unit, comparedWith: baseline, better, ...measured, floor, ambitious, verdict: verdictOfRow };
  });
}

function verdict(row: Row, judged: number): string {
  if (!reaches(row, judged, row.floor)) return 'FAIL';
  return reaches(row, judged, row.ambitious) ? 'ambitious' : 'pass';
}

function readable(number: number): string {
  if (Math.abs(number) >= 1000) return Math.round(number).toLocaleString('en-US');
  return String(Number(number.toPrecision(3)));
}
