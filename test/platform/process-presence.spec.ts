import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import pg from 'pg';
import { entities } from '#database/entities';
import { migrations } from '#database/migrations/index';
import { DatabaseModule } from '#platform/database/database.module';
import { ProcessPresence } from '#platform/database/process-presence';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

describe('presence of a process', () => {
  let database: TestDatabase;
  let observer: INestApplicationContext;

  const start = () =>
    NestFactory.createApplicationContext(
      {
        module: class PresenceTest {},
        imports: [
          DatabaseModule.forRoot({ url: database.url, poolSize: 2, applicationName: 'test', entities, migrations }),
        ],
      },
      { logger: false, abortOnError: false },
    );

  const isAlive = (id: number) => observer.get(ProcessPresence, { strict: false }).isAlive(id);

  beforeAll(async () => {
    database = await createTestDatabase();
    observer = await start();
  });

  afterAll(async () => {
    await observer.close();
    await database.drop();
  });

  it('is seen by others from the start to the end of the process', async () => {
    const other = await start();
    const { id } = other.get(ProcessPresence, { strict: false });
    expect(await isAlive(id)).toBe(true);
    await other.close();
    expect(await isAlive(id)).toBe(false);
  });

  it('is not seen of a process that never was', async () => {
    expect(await isAlive(1)).toBe(false);
  });

  it('comes back under the same id when its connection is lost', async () => {
    const other = await start();
    const { id } = other.get(ProcessPresence, { strict: false });
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const [lost] = (
      await client.query(
        `select pg_terminate_backend(pid) as ended from pg_locks where locktype = 'advisory' and objid = $1`,
        [id],
      )
    ).rows;
    await client.end();
    expect(lost).toEqual({ ended: true });
    for (let n = 0; n < 100 && !(await isAlive(id)); n++) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await isAlive(id)).toBe(true);
    await other.close();
    expect(await isAlive(id)).toBe(false);
  });
});
