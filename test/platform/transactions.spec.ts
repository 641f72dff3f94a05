import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import { DataSource } from 'typeorm';
import type { INestApplicationContext } from '@nestjs/common';
import { entities } from '#database/entities';
import { migrations } from '#database/migrations/index';
import { Conflict } from '#kernel/errors';
import { DatabaseModule, dataSourceOptions } from '#platform/database/database.module';
import { HotReader } from '#platform/database/batching/hot-reader';
import { tickBatch } from '#platform/database/batching/tick-batch';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const OPTIONS = { poolSize: 5, applicationName: 'test', entities, migrations };

describe('the transaction scope', () => {
  let database: TestDatabase;
  let app: INestApplicationContext;
  let transactions: TypeOrmTransactions;

  beforeAll(async () => {
    database = await createTestDatabase();
    const options = { ...OPTIONS, url: database.url };
    app = await NestFactory.createApplicationContext(DatabaseModule.forRoot(options), { logger: false });
    transactions = app.get(TypeOrmTransactions);
    await transactions.run(async () => {
      await transactions.writer.query('create schema scratch');
      await transactions.writer.query('create table scratch.notes (body text not null)');
    });
  });

  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  beforeEach(() => transactions.run(async () => void (await transactions.writer.query('truncate scratch.notes'))));

  const write = (body: string) => transactions.writer.query('insert into scratch.notes values ($1)', [body]);
  const bodies = async () => {
    const rows: { body: string }[] = await transactions.reader.query('select body from scratch.notes order by body');
    return rows.map((row) => row.body);
  };

  it('refuses a write outside of it', () => {
    expect(() => transactions.writer).toThrow('write outside a transaction');
  });

  it('is joined by a nested call: both are undone together', async () => {
    const outer = transactions.run(async () => {
      await write('outer');
      await transactions.run(() => write('inner'));
      throw new Conflict('test', 'undo');
    });
    await expect(outer).rejects.toThrow('undo');
    expect(await bodies()).toEqual([]);
  });

  it('reads its own writes, which nobody else sees before the commit', async () => {
    await transactions.run(async () => {
      await write('mine');
      expect(await bodies()).toEqual(['mine']);
      const others = await app.get(HotReader).rows({ name: 'others', text: 'select body from scratch.notes' }, []);
      expect(others).toEqual([]);
    });
    expect(await bodies()).toEqual(['mine']);
  });

  it('asks one after the other what is asked of it together, and fails with the first that fails', async () => {
    let underWay = 0;
    let mostUnderWay = 0;
    const query = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => Promise<unknown>;
    const watched = jest.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args) {
      mostUnderWay = Math.max(mostUnderWay, (underWay += 1));
      return query.apply(this, args).finally(() => (underWay -= 1)) as never;
    });
    const ADD = { name: 'add', text: 'insert into scratch.notes values ($1)' };
    const COUNT = { name: 'count', text: 'select count(*)::int as notes from scratch.notes where body >= $1' };
    const ask = () =>
      transactions.run(() =>
        Promise.all([
          transactions.prepared(ADD, ['first']),
          transactions.prepared<{ notes: number }>(COUNT, ['']),
          transactions.prepared(ADD, ['second']),
          transactions.prepared<{ notes: number }>(COUNT, ['']),
        ]),
      );
    const [, [one], , [two]] = await ask();
    expect([one, two]).toEqual([{ notes: 1 }, { notes: 2 }]);
    const fails = transactions.run(() =>
      Promise.all([transactions.prepared(ADD, [null]), transactions.prepared(COUNT, [''])]),
    );
    await expect(fails).rejects.toThrow('null value');
    watched.mockRestore();
    expect(mostUnderWay).toBe(1);
    expect(await bodies()).toEqual(['first', 'second']);
  });

  it('sends nothing once it is over', async () => {
    const add = { name: 'add', text: 'insert into scratch.notes values ($1)' };
    const late: Promise<unknown>[] = [];
    await transactions.run(async () => {
      late.push(new Promise((resolve) => setTimeout(resolve, 20)).then(() => transactions.prepared(add, ['late'])));
      void transactions.prepared(add, ['in time']);
      await transactions.prepared({ name: 'one', text: 'select 1' }, []);
      void transactions.prepared(add, ['just in time']);
    });
    const refused = transactions.run(() => {
      late.push(transactions.prepared(add, ['refused']));
      throw new Conflict('test', 'undo');
    });
    await expect(refused).rejects.toThrow('undo');
    const ends = await Promise.allSettled(late);
    const refusal = expect.stringMatching(/^the transaction has already ended|^write outside a transaction/);
    expect(ends.map((end) => end.status === 'rejected' && (end.reason as Error).message)).toEqual([refusal, refusal]);
    expect(await bodies()).toEqual(['in time', 'just in time']);
  });

  it('that failed lets no part of it begin one of its own afterwards', async () => {
    const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
    let straggler: Promise<unknown> | undefined;
    const failing = transactions.run(async () => {
      straggler = pause().then(() => transactions.run(() => write('of a unit that failed')));
      await Promise.all([straggler, Promise.reject(new Conflict('test', 'undo'))]);
    });
    await expect(failing).rejects.toThrow('undo');
    // Others come and go meanwhile.
    await transactions.run(() => write('of another'));
    await expect(straggler).rejects.toThrow();
    expect(await bodies()).toEqual(['of another']);
  });

  it('stays apart from one that runs beside it', async () => {
    const results = await Promise.allSettled([
      transactions.run(async () => {
        await write('kept');
        await new Promise((resolve) => setTimeout(resolve, 30));
      }),
      transactions.run(async () => {
        await write('undone');
        throw new Conflict('test', 'undo');
      }),
    ]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected']);
    expect(await bodies()).toEqual(['kept']);
  });

  it('can try something behind a savepoint and go on without it', async () => {
    await transactions.run(async () => {
      await write('before');
      await expect(
        transactions.attempt(async () => {
          await write('tried');
          throw new Conflict('test', 'undo');
        }),
      ).rejects.toThrow('undo');
      await write('later');
    });
    expect(await bodies()).toEqual(['before', 'later']);
  });

  it('that runs alone waits for its turn longer than a statement may take, and keeps no lock afterwards', async () => {
    const { extra, ...options } = dataSourceOptions({ ...OPTIONS, url: database.url });
    const impatient = await new DataSource({ ...options, extra: { ...extra, statement_timeout: 50 } }).initialize();
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    try {
      await other.query(`select pg_advisory_lock(7, hashtext('books'))`);
      const waiting = new TypeOrmTransactions(impatient).runAlone([7, 'books'], () => Promise.resolve('done'));
      const waits = new Set<string>();
      while (waits.size < 3) {
        const { rows } = await other.query<{ waitstart: string }>(
          `select waitstart::text from pg_locks where locktype = 'advisory' and not granted and waitstart is not null`,
        );
        for (const { waitstart } of rows) waits.add(waitstart);
      }
      await other.query(`select pg_advisory_unlock(7, hashtext('books'))`);
      expect(await waiting).toBe('done');
      const { rows } = await other.query(
        `select count(*)::int as n from pg_locks where locktype = 'advisory' and classid = 7`,
      );
      expect(rows).toEqual([{ n: 0 }]);
    } finally {
      await other.end();
      await impatient.destroy();
    }
  });

  it('answers all look-ups of one turn with one query, and one bad key fails alone', async () => {
    const asked: number[] = [];
    const load = tickBatch<number, number>((keys) => {
      asked.push(keys.length);
      if (keys.includes(13)) return Promise.reject(new Error('unlucky'));
      return Promise.resolve(keys.map((key) => (key === 7 ? null : key * 2)));
    });
    expect(await Promise.all([1, 2, 7].map(load))).toEqual([2, 4, null]);
    expect(asked).toEqual([3]);
    const settled = await Promise.allSettled([1, 13, 2].map(load));
    expect(settled.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});
