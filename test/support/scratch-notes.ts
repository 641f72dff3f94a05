import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import type { INestApplicationContext } from '@nestjs/common';
import { DatabaseModule } from '#platform/database/database.module';
import { arraysOf, relationOf, type Columns, type SetStatement } from '#platform/database/batching/set-statement';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { createTestDatabase, type TestDatabase } from './test-database.js';

interface Note {
  readonly body: string;
  readonly amount: number;
}

const NOTE: Columns<Note> = { body: ['text', ({ body }) => body], amount: ['int', ({ amount }) => amount] };
const ADD: SetStatement<Note> = {
  name: 'add-notes',
  text: `with asked as (select * from ${relationOf(NOTE)} as asked),
    added as (insert into scratch.notes (body, amount) select body, amount from asked returning body, xmin::text as tx)
    select a.place, d.tx from asked a join added d on d.body = a.body`,
  values: arraysOf(NOTE),
};
const BODY: Columns<string> = { body: ['text', (body) => body] };
const FIND: SetStatement<string> = {
  name: 'find-notes',
  text: `select a.place, n.amount from ${relationOf(BODY)} as a
    join scratch.notes n on n.body = a.body`,
  values: arraysOf(BODY),
};
const HOLD = { name: 'hold-note', text: 'select amount from scratch.notes where body = $1 for update' };
const PUT_INTO_TILL = { name: 'till', text: `update scratch.notes set amount = $1 where body = 'till'` };

/** Units of work about notes in a table of their own, over real connections. To be made outside of any test. */
export class ScratchNotes {
  transactions: TypeOrmTransactions;
  /** Another client of the same database. */
  other: pg.Client;
  private database: TestDatabase;
  private app: INestApplicationContext;

  constructor() {
    beforeAll(() => this.open());
    afterAll(() => this.close());
    beforeEach(() =>
      this.other.query(`truncate scratch.notes; insert into scratch.notes values ('seed', 7), ('till', 0)`),
    );
  }

  /** @returns the transaction that wrote it */
  async add(body: string, amount = 1): Promise<string> {
    return (await this.transactions.each<{ tx: string }, Note>(ADD, { body, amount }))[0]!.tx;
  }

  async find(body: string): Promise<number | undefined> {
    return (await this.transactions.each<{ amount: number }, string>(FIND, body))[0]?.amount;
  }

  /** Locks its row, until the transaction ends. */
  async hold(body: string): Promise<number> {
    return (await this.transactions.prepared<{ amount: number }>(HOLD, [body]))[0]!.amount;
  }

  putIntoTill(amount: number): Promise<unknown> {
    return this.transactions.prepared(PUT_INTO_TILL, [amount]);
  }

  async till(): Promise<number> {
    return (await this.other.query(`select amount from scratch.notes where body = 'till'`)).rows[0].amount;
  }

  /** What was committed, by name, without what was there before. */
  async bodies(): Promise<string[]> {
    const { rows } = await this.other.query<{ body: string }>(
      `select body from scratch.notes where body not in ('seed', 'till') order by 1`,
    );
    return rows.map(({ body }) => body);
  }

  /** Runs all at once: the first ones take the lanes, those in the middle share. */
  all<T>(works: readonly (() => Promise<T>)[]): Promise<PromiseSettledResult<T>[]> {
    return Promise.allSettled(works.map((work) => this.transactions.together(work)));
  }

  private async open(): Promise<void> {
    this.database = await createTestDatabase();
    const options = { url: this.database.url, poolSize: 12, applicationName: 'test', entities: [], migrations: [] };
    this.app = await NestFactory.createApplicationContext(DatabaseModule.forRoot(options), { logger: false });
    this.transactions = this.app.get(TypeOrmTransactions);
    this.other = new pg.Client({ connectionString: this.database.url });
    await this.other.connect();
    await this.other.query('create schema scratch');
    await this.other.query(
      'create table scratch.notes (body text primary key, amount int not null check (amount >= 0))',
    );
  }

  private async close(): Promise<void> {
    await this.other.end();
    await this.app.close();
    await this.database.drop();
  }
}

export const values = <T>(ends: PromiseSettledResult<T>[]): unknown[] =>
  ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason));

export const noteNames = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `note ${String(index).padStart(2, '0')}`);
