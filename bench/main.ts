import { document, passes, printable, type Outcome } from './lib/table.js';
import type { Row } from './lib/row.js';
import { Stage, type BenchOptions } from './lib/stage.js';
import { ROWS } from './rows/index.js';

/**
 * Runs the rows one after the other.
 * @returns the exit code: 1 if one is below its floor
 */
export async function bench(options: BenchOptions): Promise<number> {
  const rows = options.rows.length === 0 ? ROWS : ROWS.filter((row) => isChosen(row, options.rows));
  if (rows.length === 0) throw new Error(`no such row: ${options.rows.join(' ')}; --list names them`);
  if (options.list) {
    process.stdout.write(rows.map((row) => `${row.number.padStart(4)}  ${row.work}\n`).join(''));
    return 0;
  }
  const stage = new Stage(options);
  try {
    const outcomes: Outcome[] = [];
    for (const row of rows) {
      options.signal.throwIfAborted();
      const unfit = row.unfit?.() ?? null;
      if (unfit !== null) {
        options.say(`${row.number}: ${row.work}: not measured, ${unfit}`);
        continue;
      }
      options.say(`${row.number}: ${row.work} ...`);
      outcomes.push({ row, measured: await row.run(stage) });
      options.say(printable(outcomes.slice(-1)));
    }
    process.stdout.write(
      options.json ? `${JSON.stringify(document(outcomes), null, 2)}\n` : `${printable(outcomes)}\n`,
    );
    return outcomes.every(passes) ? 0 : 1;
  } finally {
    await stage.end();
  }
}

/** `27` selects 27a and 27b. */
function isChosen(row: Row, chosen: readonly string[]): boolean {
  return chosen.includes(row.number) || chosen.includes(row.number.replace(/[a-z]$/, ''));
}
