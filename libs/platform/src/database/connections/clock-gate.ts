import type { DataSource } from 'typeorm';
import type { Clock } from '#kernel/time/clock';
import { StartRefused } from '../../start-refused.js';

const TOLERANCE_MS = 1_000;

/**
 * Prevents finalizing a month that has ended by this machine's clock, but not yet by the database's: its last events
 * could still be written.
 * @throws StartRefused if the clock is ahead of the database's
 */
export async function assertNotAhead(clock: Clock, dataSource: DataSource): Promise<void> {
  // Read before the query, so that a slow answer does not make this clock seem ahead.
  const here = clock.now();
  const [row] = await dataSource.query<{ now: Date }[]>('select clock_timestamp() as now');
  const aheadMs = here.getTime() - (row?.now ?? here).getTime();
  if (aheadMs <= TOLERANCE_MS) return;
  const seconds = (aheadMs / 1_000).toFixed(1);
  throw new StartRefused(
    `The clock of this machine is ${seconds} s ahead of the database's. Correct it and try again.`,
  );
}
