import type { Socket } from 'node:net';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import pg from 'pg';
import { entities } from '#database/entities';
import { migrations } from '#database/migrations/index';
import { DatabaseModule } from '#platform/database/database.module';
import { ProcessPresence } from '#platform/database/connections/process-presence';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
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

  it('has told everything before it is gone, however it ends', async () => {
    const other = await start();
    const presence = other.get(ProcessPresence, { strict: false });
    await presence.tell({ name: 'table', text: 'create table told (n integer)' }, []);
    const told = presence
      .tell({ name: 'told', text: 'insert into told select $1::integer from pg_sleep(0.2)' }, [1])
      .catch(() => undefined);
    // As with a process that is killed: the kernel sends what was written and ends the connection; nothing comes back.
    Object.assign(presence, { ended: true });
    (presence as unknown as { client: { connection: { stream: Socket } } }).client.connection.stream.destroySoon();
    const count = async () => {
      const rows: { n: string }[] = await observer
        .get(TypeOrmTransactions, { strict: false })
        .reader.query('select count(*) as n from told');
      return Number(rows[0]!.n);
    };
    while (await isAlive(presence.id)) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(await count()).toBe(1);
    await told;
    await other.close();
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
