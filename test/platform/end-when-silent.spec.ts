import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { isDatabaseUnavailable } from '#platform/database/database-errors';
import { endWhenSilent } from '#platform/database/connections/end-when-silent';
import { TcpGate } from '../support/http/tcp-gate.js';
import { createEmptyDatabase, type TestDatabase } from '../support/test-database.js';

const SILENCE_MS = 200;

describe('a connection whose server falls silent', () => {
  let database: TestDatabase;
  let gate: TcpGate;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createEmptyDatabase();
  });

  beforeEach(async () => {
    const url = new URL(database.url);
    gate = new TcpGate({ host: url.hostname, port: Number(url.port) });
    await gate.open();
    url.host = `127.0.0.1:${gate.port}`;
    client = new pg.Client({ connectionString: url.href });
    client.on('error', () => undefined);
    endWhenSilent(client, SILENCE_MS);
    await client.connect();
  });

  afterEach(async () => {
    await client.end().catch(() => undefined);
    await gate.cut();
  });

  afterAll(() => database.drop());

  const one = () => client.query<{ one: number }>('select 1 as one').then(({ rows }) => rows);

  it('fails what it was asked, and is over', async () => {
    expect(await one()).toEqual([{ one: 1 }]);
    gate.freeze();
    const error: unknown = await one().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ message: 'Query read timeout' });
    expect(isDatabaseUnavailable(error)).toBe(true);
    await expect(one()).rejects.toThrow(/not queryable|Connection terminated/);
  });

  it('is watched also after it had nothing to do for long', async () => {
    await pause(2 * SILENCE_MS);
    gate.freeze();
    await expect(one()).rejects.toThrow('Query read timeout');
  });

  it('may wait for its next question as long as it likes, also in a transaction', async () => {
    await client.query('begin');
    await pause(2 * SILENCE_MS);
    expect(await one()).toEqual([{ one: 1 }]);
    await pause(2 * SILENCE_MS);
    expect((await client.query('commit')).command).toBe('COMMIT');
  });

  it('may take long over an answer of which something comes now and then', async () => {
    const raise = (n: number) => `raise notice 'step ${n}'; perform pg_sleep(${SILENCE_MS / 2000});`;
    const steps = Array.from({ length: 5 }, (_, n) => raise(n)).join(' ');
    expect((await client.query(`do $$ begin ${steps} end $$`)).command).toBe('DO');
  });
});
