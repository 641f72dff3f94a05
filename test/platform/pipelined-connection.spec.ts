import { Socket } from 'node:net';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { DatabaseModule } from '#platform/database/database.module';
import { isDatabaseUnavailable } from '#platform/database/database-errors';
import { HotReader } from '#platform/database/hot-reader';
import { tickBatch } from '#platform/database/tick-batch';
import { TypeOrmTransactions } from '#platform/database/typeorm-transactions';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const SAME = { name: 'same', text: 'select $1::int as value' };
const QUOTIENT = { name: 'quotient', text: 'select 6 / $1::int as value' };
const WAIT = { name: 'wait', text: 'select pg_sleep($1::int), pg_backend_pid() as value' };
const WHO = { name: 'who', text: 'select pg_backend_pid() as value' };

describe('the connection that all hot reads share', () => {
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

  const value = async (statement: { name: string; text: string }, given: unknown[]) =>
    (await reader.rows<{ value: number }>(statement, given))[0]?.value;

  it('gives each question its own answer, and its own error', async () => {
    const asked = Array.from({ length: 200 }, (_, n) => (n % 10 === 0 ? value(QUOTIENT, [0]) : value(SAME, [n])));
    const answers = await Promise.allSettled(asked);
    answers.forEach((answer, n) => {
      if (n % 10 === 0) expect(answer).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
      else expect(answer).toEqual({ status: 'fulfilled', value: n });
    });
  });

  it('sends in one write what is asked in one go, by whichever batch', async () => {
    const batch = (statement: typeof SAME) =>
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
