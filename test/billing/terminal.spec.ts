import { spawn } from 'node:child_process';
import { builtProgram } from '../support/processes/built-program.js';
import pg from 'pg';
import { bulkWorld } from '../support/billing/bulk-world.js';
import { cli } from '../support/processes/cli.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const MAIN = builtProgram('cli');
const PARTNERS = 25;
const CLOSE = ['statements', 'finalize', '--by', 'Ada', '--review', '--period'];

/** Partner 1 has one license of 1099 cents that ends with March, partner 2 one that begins on 5 April. */
const COMING_AND_GOING = `
  update licensing.ownership_spans set days = daterange('2025-01-05', '2025-04-01'), closed_by = opened_by
   where contract_id = md5('contract1')::uuid;
  update licensing.ownership_spans set days = daterange('2025-04-05', null) where contract_id = md5('contract2')::uuid`;

describe('finalizing a month at a terminal', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    await bulkWorld(database.url, { partners: PARTNERS, licensesEach: 1 });
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(COMING_AND_GOING);
  });

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const finalized = async () => {
    const sql = `select count(*)::int as n from billing.statements where status = 'finalized'`;
    return (await client.query<{ n: number }>(sql)).rows[0]!.n;
  };

  it('asks before it locks, and treats any answer but yes as no', async () => {
    const { code, screen } = await atTerminal(database.url, [...CLOSE, '2025-03'], '\n');
    expect(screen).toContain('Lock 24 statements of 2025-03 for ever? [y/N]');
    expect(screen).toContain('Nothing was changed.');
    expect([code, await finalized()]).toEqual([1, 0]);
  }, 60_000);

  it('shows a progress bar, then a row for each partner and the sum by currency', async () => {
    const { code, screen } = await atTerminal(database.url, [...CLOSE, '2025-03'], 'yes\n');
    expect([code, await finalized()]).toEqual([0, 24]);
    for (const bar of [/Reviewing █*░* *\d+\/25/, /Finalizing █*░* *\d+\/25/]) expect(screen).toMatch(bar);
    expect(cells(screen, 'Partner 7')).toMatchObject([
      'Partner 7',
      expect.any(String),
      '1',
      expect.any(String),
      '10.99 EUR',
      'new',
    ]);
    expect(cells(screen, 'all')).toEqual(['all', '', '', '24 statements', '263.76 EUR', '+263.76 EUR']);
    expect(screen).toContain('Finalized 24 statements of 2025-03. Nothing to bill for 1 partner.');
  }, 60_000);

  it('compares with the previous month: changed, new and missing partners', async () => {
    const run = await cli(database.url, [...CLOSE, '2025-04', '--yes']);
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(cells(run.stdout, 'Partner 1')).toEqual(['Partner 1', '', '', 'nothing to bill', '', '-10.99 EUR']);
    // 1099 * 26/30 = 952.47
    expect(cells(run.stdout, 'Partner 2').slice(3)).toEqual(['finalized', '9.52 EUR', 'new']);
    expect(cells(run.stdout, 'Partner 7').slice(3)).toEqual(['finalized', '10.99 EUR', '0.00 EUR']);
    expect(cells(run.stdout, 'all').slice(3)).toEqual(['24 statements', '262.29 EUR', '-1.47 EUR']);
    const { rows } = await client.query<{ id: string }>(`select md5('partner7')::uuid as id`);
    const one = await cli(database.url, [...CLOSE, '2025-04', '--yes', '--partner', rows[0]!.id]);
    expect(cells(one.stdout, 'all').slice(3)).toEqual(['1 statement', '10.99 EUR', '0.00 EUR']);
    expect(one.stdout).toContain('Finalized 0 statements of 2025-04. 1 statement already finalized, not changed.');
  }, 60_000);

  it('requires --yes without a terminal, and shows no progress bar there', async () => {
    const run = await cli(database.url, [...CLOSE, '2025-05']);
    expect([run.code, run.stdout, run.stderr]).toEqual([
      2,
      '',
      'No terminal to ask for confirmation. Repeat the command with --yes.\n',
    ]);
    const json = await cli(database.url, [...CLOSE, '2025-05', '--yes', '--json']);
    expect([json.code, json.stderr, JSON.parse(json.stdout).finalized.length]).toEqual([0, '', 24]);
  }, 60_000);

  it('does not ask if there is nothing to lock, and says why', async () => {
    const args = ['statements', 'finalize', '--by', 'Ada', '--period', '2025-06'];
    const { code, screen } = await atTerminal(database.url, args, '');
    expect(code).toBe(1);
    expect(screen).not.toContain('[y/N]');
    expect(screen).toContain('Finalized 0 statements of 2025-06. Nothing to bill for 1 partner. Refused 24 partners:');
    expect(screen).toMatch(/Partner \d+ \([0-9a-f-]{36}\): The statement has not been reviewed\.\r?\n/);
    expect(screen).toContain('and 4 more');
  }, 60_000);
});

/** A pseudo terminal of 200 columns, in which `answer` is typed as soon as something is asked. */
function atTerminal(databaseUrl: string, args: readonly string[], answer: string) {
  const command = [process.execPath, MAIN, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', `stty cols 200; ${command}`, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm', DATABASE_URL: databaseUrl },
  });
  let screen = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const before = screen.includes('[y/N]');
    screen += chunk.toString('utf8');
    if (!before && screen.includes('[y/N]')) child.stdin.write(answer);
  });
  return new Promise<{ code: number | null; screen: string }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, screen: withoutColours(screen) }));
  });
}

const withoutColours = (text: string) => text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '');

/** The cells of the last row that begins with that name. */
function cells(text: string, name: string): string[] {
  const rows = text.split('\n').filter((line) => line.startsWith(`│ ${name} `));
  return (rows.at(-1) ?? '').split('│').slice(1, -1).map((cell) => cell.trim()); // prettier-ignore
}
