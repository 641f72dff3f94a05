import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import type { INestApplicationContext } from '@nestjs/common';
import { Conflict, NotFound } from '#kernel/errors';
import { DatabaseModule } from '#platform/database/database.module';
import { columnsOf, type SetStatement } from '#platform/database/set-statement';
import { TypeOrmTransactions } from '#platform/database/typeorm-transactions';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

interface Note {
  readonly body: string;
  readonly amount: number;
}

const ADD: SetStatement<Note> = {
  name: 'add-notes',
  text: `with asked as (select * from unnest($1::text[], $2::int[]) with ordinality as asked (body, amount, place)),
    added as (insert into scratch.notes (body, amount) select body, amount from asked returning body, xmin::text as tx)
    select a.place, d.tx from asked a join added d on d.body = a.body`,
  values: columnsOf(
    ({ body }) => body,
    ({ amount }) => amount,
  ),
};
const FIND: SetStatement<string> = {
  name: 'find-notes',
  text: `select a.place, n.amount from unnest($1::text[]) with ordinality as a (body, place)
    join scratch.notes n on n.body = a.body`,
  values: columnsOf((body) => body),
};
const HOLD = { name: 'hold-note', text: 'select amount from scratch.notes where body = $1 for update' };

describe('units of work that share a transaction', () => {
  let database: TestDatabase;
  let app: INestApplicationContext;
  let transactions: TypeOrmTransactions;
  let other: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    const options = { url: database.url, poolSize: 12, applicationName: 'test', entities: [], migrations: [] };
    app = await NestFactory.createApplicationContext(DatabaseModule.forRoot(options), { logger: false });
    transactions = app.get(TypeOrmTransactions);
    other = new pg.Client({ connectionString: database.url });
    await other.connect();
    await other.query('create schema scratch');
    await other.query('create table scratch.notes (body text primary key, amount int not null check (amount >= 0))');
  });

  afterAll(async () => {
    await other.end();
    await app.close();
    await database.drop();
  });

  beforeEach(() => other.query(`truncate scratch.notes; insert into scratch.notes values ('seed', 7), ('till', 0)`));

  const add = async (body: string, amount = 1) =>
    (await transactions.each<{ tx: string }, Note>(ADD, { body, amount }))[0]!.tx;
  const bodies = async () =>
    (
      await other.query<{ body: string }>(
        `select body from scratch.notes where body not in ('seed', 'till') order by 1`,
      )
    ).rows.map(({ body }) => body);
  /** Runs all at once: the first ones take the lanes, those in the middle share. */
  const all = <T>(works: readonly (() => Promise<T>)[]) =>
    Promise.allSettled(works.map((work) => transactions.together(work)));
  const values = <T>(ends: PromiseSettledResult<T>[]) =>
    ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason));
  const names = (count: number) =>
    Array.from({ length: count }, (_, index) => `note ${String(index).padStart(2, '0')}`);

  it('commit together, each with its own answer', async () => {
    const ends = await all(
      names(20).map((name) => async () => {
        const [seed] = await transactions.each<{ amount: number }, string>(FIND, 'seed');
        const [own] = await transactions.each<{ amount: number }, string>(FIND, name);
        return { seed: seed?.amount, own, tx: await add(name) };
      }),
    );
    const answers = values(ends) as { seed: number; own: undefined; tx: string }[];
    expect(answers.every(({ seed, own }) => seed === 7 && own === undefined)).toBe(true);
    // Two lanes are free.
    expect(new Set(answers.map(({ tx }) => tx)).size).toBe(2);
    expect(await bodies()).toEqual(names(20));
  });

  it('do not share with one that comes by itself', async () => {
    const first = await transactions.together(() => add('first'));
    const second = await transactions.together(() => add('second'));
    expect(first).not.toBe(second);
  });

  it('run again by themselves when they write before it is known that the transaction has begun', async () => {
    const runs: string[] = [];
    const ends = await all(
      names(8).map((name) => async () => {
        runs.push(name);
        await transactions.writer.query('insert into scratch.notes values ($1, 1)', [name]);
      }),
    );
    expect(ends.map(({ status }) => status)).toEqual(Array(8).fill('fulfilled'));
    expect(runs).toHaveLength(16);
    expect(await bodies()).toEqual(names(8));
  });

  it('write nothing any more once one of them has failed', async () => {
    const late: Promise<unknown>[] = [];
    const ends = await all(
      names(6).map((name, index) => async () => {
        await transactions.each(FIND, 'seed');
        if (index !== 3) return add(name);
        // When the others are done. The statement would leave at the end of this turn: after the transaction.
        await pause(30);
        late.push(add(name).catch(() => undefined));
        throw new Conflict('refused', 'after it asked for a write');
      }),
    );
    await Promise.all(late);
    expect(ends.map(({ status }) => status).filter((status) => status === 'rejected')).toHaveLength(1);
    expect(await bodies()).toEqual(names(6).filter((_, index) => index !== 3));
  });

  it('keep their asynchronous context', async () => {
    const caller = new AsyncLocalStorage<string>();
    const seen = await Promise.all(
      names(10).map((name) =>
        caller.run(name, () =>
          transactions.together(async () => {
            await add(name);
            return caller.getStore();
          }),
        ),
      ),
    );
    expect(seen).toEqual(names(10));
  });

  it('are not undone for one that is refused before it writes', async () => {
    const runs: string[] = [];
    const ends = await all(
      names(6).map((name, index) => async () => {
        runs.push(name);
        const [seed] = await transactions.each<{ amount: number }, string>(FIND, 'seed');
        if (index === 3) throw new Conflict('refused', `there are ${seed?.amount}`);
        return add(name);
      }),
    );
    expect(ends.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(values(ends)[3]).toBeInstanceOf(Conflict);
    expect(await bodies()).toEqual(names(6).filter((_, index) => index !== 3));
    expect(runs).toEqual(names(6));
  });

  it.each<[string, (name: string) => Promise<unknown>]>([
    [
      'is refused after it wrote',
      async (name) => {
        await add(name);
        throw new NotFound();
      },
    ],
    ['breaks a constraint', (name) => add(name, -1)],
    [
      'fails and hides it',
      async (name) => {
        await transactions.prepared({ name: 'wrong', text: 'select 1 / $1::int' }, [0]).catch(() => undefined);
        await add(name);
      },
    ],
    ['uses what is not there', (name) => transactions.writer.insert('unknown entity', { name })],
  ])('run again, each by itself, when one %s', async (_, fail) => {
    const runs: string[] = [];
    const ends = await all(
      names(6).map((name, index) => async () => {
        runs.push(name);
        if (index === 2) await fail(name);
        else await add(name);
      }),
    );
    expect(ends.map(({ status }) => status)).toEqual(
      names(6).map((__, index) => (index === 2 ? 'rejected' : 'fulfilled')),
    );
    expect(await bodies()).toEqual(names(6).filter((__, index) => index !== 2));
    // Four shared the transaction in which one failed, the other two one of their own.
    expect([...runs].sort()).toEqual([...names(6), ...names(4)].sort());
  });

  it('are kept apart by name, as row locks keep transactions apart', async () => {
    const draw = async () => {
      await transactions.apart('till');
      const [till] = await transactions.prepared<{ amount: number }>(HOLD, ['till']);
      await transactions.writer.query('update scratch.notes set amount = $1 where body = $2', [
        till!.amount + 1,
        'till',
      ]);
    };
    expect((await all(Array.from({ length: 12 }, () => draw))).every(({ status }) => status === 'fulfilled')).toBe(
      true,
    );
    const { rows } = await other.query(`select amount from scratch.notes where body = 'till'`);
    expect(rows).toEqual([{ amount: 12 }]);
  });

  it('do not wait for one that waits for a lock', async () => {
    await other.query('begin');
    await other.query(HOLD.text, ['seed']);
    const held = transactions.together(async () => {
      await transactions.prepared(HOLD, ['seed']);
      return add('waited');
    });
    const rest = all(names(5).map((name) => () => add(name)));
    expect((await rest).map(({ status }) => status)).toEqual(names(5).map(() => 'fulfilled'));
    expect(await bodies()).toEqual(names(5));
    await other.query('commit');
    await held;
    expect(await bodies()).toContain('waited');
  });

  it('do not keep others waiting whose transactions do not end', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const stuck = [];
    for (const turn of ['one', 'two']) {
      let begun: () => void = () => undefined;
      const started = new Promise<void>((resolve) => (begun = resolve));
      const works = names(3).map((name) => async () => {
        await add(`${name} of ${turn}`);
        begun();
        await gate;
      });
      stuck.push(all(works));
      await started;
    }
    const free = await all(names(4).map((name) => () => add(name)));
    expect(free.every(({ status }) => status === 'fulfilled')).toBe(true);
    release();
    expect((await Promise.all(stuck)).flat().every(({ status }) => status === 'fulfilled')).toBe(true);
  });

  it('are whole or not at all when their connection is cut', async () => {
    const ends = await all(
      names(6).map((name, index) => async () => {
        await add(name);
        if (index === 4)
          await other.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where state = 'idle in transaction' and application_name = 'test' and datname = current_database()`);
        await add(`${name}, again`);
      }),
    );
    const kept = names(6).filter((_, index) => ends[index]?.status === 'fulfilled');
    expect(await bodies()).toEqual(kept.flatMap((name) => [name, `${name}, again`]).sort());
    expect((await all(names(4).map((name) => () => add(`${name} later`)))).map(({ status }) => status)).toEqual(
      names(4).map(() => 'fulfilled'),
    );
  });

  it('have no savepoints', async () => {
    const attempts = await all(names(3).map((name) => () => transactions.attempt(() => add(name))));
    // Each ran again by itself, where a savepoint is allowed.
    expect(attempts.every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await bodies()).toEqual(names(3));
  });
});
