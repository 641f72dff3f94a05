import type pg from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '#platform/database/database.module';
import { createQueuePool } from '#platform/queue/queue-pool';
import { createEmptyDatabase, type TestDatabase } from '../support/test-database.js';

const FATAL = new Error('terminating connection due to administrator command');

describe('a connection that is lost between two holders', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createEmptyDatabase();
  });

  afterAll(() => database.drop());

  const poolOfTypeOrm = async () => {
    const options = { url: database.url, poolSize: 2, applicationName: 'test', entities: [], migrations: [] };
    const source = await new DataSource(dataSourceOptions(options)).initialize();
    return { pool: (source.driver as unknown as { master: pg.Pool }).master, end: () => source.destroy() };
  };
  const poolOfQueue = () => {
    const pool = createQueuePool(database.url, 2);
    return Promise.resolve({ pool, end: () => pool.end() });
  };

  it.each([
    ['of TypeORM', poolOfTypeOrm],
    ['of the queue', poolOfQueue],
  ])('ends no process with a pool %s', async (_, open) => {
    const { pool, end } = await open();
    const client = await pool.connect();
    try {
      // The pool has let go of it, and who asked for it does not have it yet.
      expect(() => client.emit('error', FATAL)).not.toThrow();
    } finally {
      client.release(FATAL);
    }
    expect((await pool.query<{ one: number }>('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await end();
  });
});
