import { Socket } from 'node:net';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { DatabaseModule } from '#platform/database/database.module';
import { isDatabaseUnavailable } from '#platform/database/database-errors';
import { HotReader } from '#platform/database/batching/hot-reader';
import { tickBatch } from '#platform/database/batching/tick-batch';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

type Statement = typeof SAME;

const SAME = { name: 'same', text: 'select $1::int as value' };
const QUOTIENT = { name: 'quotient', text: 'select 6 / $1::int as value' };
const WAIT = { name: 'wait', text: 'select pg_sleep($1::int), pg_backend_pid() as value' };
const WHO = { name: 'who', text: 'select pg_backend_pid() as value' };
const EVEN = { name: 'even', text: 'select n from generate_series(0, $1::int, 2) n' };
const ADDED = { name: 'added', text: 'select $1::int + $2::int as value, null as nothing' };
const NEXT_TO_IT = { name: 'next-to-it', text: 'select $1::int + 1 as value' };

let database: TestDatabase;
let app: INestApplicationContext;
let reader: HotReader;

beforeAll(async () => {
  database = await createTestDatabase();
  const options = { url: database.url, poolSize: 2, applicationName: 'test', entities: [], migrations: [] };
  app = await NestFactory.createApplicationContext(DatabaseModule.forRoot(options), { logger: false });
  reader = app.get(HotReader);
});

afterAll(async () => {
  await app.close();
  await database.drop();
});

describe.each(['rows', 'texts'] as const)('the connection that all hot reads share, asked for %s', (kind) => {
  const value = async (statement: Statement, given: unknown[]) =>
    kind === 'rows'
      ? (await reader.rows<{ value: number }>(statement, given))[0]?.value
      : Number((await reader.texts(statement, given))[0]?.at(-1));

  it('gives each question its own answer, and its own error', async () => {
    const asked = Array.from({ length: 200 }, (_, n) => (n % 10 === 0 ? value(QUOTIENT, [0]) : value(SAME, [n])));
    const answers = await Promise.allSettled(asked);
    answers.forEach((answer, n) => {
      if (n % 10 === 0) expect(answer).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
      else expect(answer).toEqual({ status: 'fulfilled', value: n });
    });
  });

  it('sends in one write what is asked in one go, by whichever batch', async () => {
    const batch = (statement: Statement) =>
      tickBatch<number, number>((keys) =>
        Promise.all(keys.map((key) => value(statement, [key]).then((v) => v ?? null))),
      );
    const [first, second] = [batch(SAME), batch(QUOTIENT)];
    const asked = () => Promise.all([first(1), first(2), Promise.resolve().then(() => second(3))]);
    await asked(); // every statement is prepared
    const write = jest.spyOn(Socket.prototype as unknown as { _writev: () => void }, '_writev');
    expect(await asked()).toEqual([1, 2, 2]);
    expect(write).toHaveBeenCalledTimes(1);
    write.mockRestore();
  });

  it('fails what is under way when it is lost, and the next question opens a new one', async () => {
    const before = await value(WHO, []);
    const asked = Promise.allSettled([value(WAIT, [20]), value(SAME, [1]), value(SAME, [2])]);
    const { reader: other } = app.get(TypeOrmTransactions);
    await other.query('select pg_terminate_backend($1)', [before]);
    for (const answer of await asked) {
      expect(answer.status).toBe('rejected');
      expect(isDatabaseUnavailable((answer as PromiseRejectedResult).reason)).toBe(true);
    }
    const after = await Promise.all([value(WHO, []), value(WHO, []), value(SAME, [3])]);
    expect(after).toEqual([after[0], after[0], 3]);
    expect(after[0]).not.toBe(before);
  });
});

describe('what is asked for as texts in one go', () => {
  it('is answered with all rows of each and nothing where there is nothing', async () => {
    const asked = () => [reader.texts(EVEN, [4]), reader.texts(EVEN, [-1]), reader.texts(ADDED, [1, 2])];
    for (const time of ['first', 'second']) {
      const answers = await Promise.all(asked());
      expect([time, ...answers]).toEqual([time, [['0'], ['2'], ['4']], [], [['3', null]]]);
    }
  });

  it('is answered also behind one that fails, be the statements known or new', async () => {
    const asked = () => [
      reader.texts(SAME, [1]),
      reader.texts(QUOTIENT, [0]),
      reader.texts(NEXT_TO_IT, [2]),
      reader.texts(QUOTIENT, [0]),
      reader.texts(SAME, [4]),
    ];
    for (const time of ['first', 'second']) {
      const answers = (await Promise.allSettled(asked())).map((answer) =>
        answer.status === 'fulfilled' ? answer.value : (answer.reason as { code: string }).code,
      );
      expect([time, answers]).toEqual([time, [[['1']], '22012', [['3']], '22012', [['4']]]]);
    }
  });

  it('can be asked again after a statement that the server does not understand', async () => {
    const wrong = { name: 'wrong', text: 'select no_such_function($1::int)' };
    for (const time of ['first', 'second']) {
      const answers = await Promise.allSettled([reader.texts(wrong, [1]), reader.texts(SAME, [5])]);
      expect([time, answers]).toMatchObject([time, [{ reason: { code: '42883' } }, { value: [['5']] }]]);
    }
  });
});
