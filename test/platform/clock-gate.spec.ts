import { DataSource } from 'typeorm';
import { SystemClock } from '#kernel/time/clock';
import { assertNotAhead } from '#platform/database/connections/clock-gate';
import { dataSourceOptions } from '#platform/database/database.module';
import { ShiftedClock } from '../support/fixed-clock.js';
import { createEmptyDatabase, type TestDatabase } from '../support/test-database.js';

describe('a clock beside that of the database', () => {
  let database: TestDatabase;
  let source: DataSource;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    const options = { url: database.url, poolSize: 1, applicationName: 'test', entities: [], migrations: [] };
    source = await new DataSource(dataSourceOptions(options)).initialize();
  });

  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });

  it('is believed when it agrees or stays behind', async () => {
    const behind = new ShiftedClock();
    behind.advance(-60_000);
    for (const clock of [new SystemClock(), behind])
      await expect(assertNotAhead(clock, source)).resolves.toBeUndefined();
  });

  it('is refused when it runs ahead by more than a second', async () => {
    const ahead = new ShiftedClock();
    // More than this machine may need between reading its clock and asking the database.
    ahead.advance(60_000);
    await expect(assertNotAhead(ahead, source)).rejects.toThrow(/clock of this machine is [\d.]+ s ahead/);
  });
});
