import { spawn } from 'node:child_process';
import { builtProgram } from '../support/processes/built-program.js';
import pg from 'pg';
import { cli, cliProcess } from '../support/processes/cli.js';
import { bulkWorld } from '../support/billing/bulk-world.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const MAIN = builtProgram('cli');
const PARTNERS = 150;
const LICENSES = 10;
/** 1099 cents for each license of the whole month. */
const TOTAL = 1099 * LICENSES;
const finalize = (month: string, ...more: string[]) => {
  return ['statements', 'finalize', '--period', month, '--by', 'Ada', '--yes', ...more];
};

describe('finalizing many partners', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    await bulkWorld(database.url, { partners: PARTNERS, licensesEach: LICENSES });
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const review = async (month: string) => {
    const run = await cli(database.url, ['statements', 'review', '--period', month, '--by', 'Ada', '--json']);
    expect(JSON.parse(run.stdout).reviewed).toHaveLength(PARTNERS);
  };

  const counted = async (status: 'draft' | 'finalized', month: string) => {
    const { rows } = await client.query(
      'select count(*)::int as n from billing.statements where status = $1 and period_start = $2',
      [status, `${month}-01`],
    );
    return rows[0].n as number;
  };
  const finalized = (month: string) => counted('finalized', month);
  const drafts = (month: string) => counted('draft', month);

  /** What must hold after any fault: every statement is a draft, or finalized with all its lines, parts and digests. */
  const assertWhole = async (month: string) => {
    const { rows } = await client.query(`
      select s.id from billing.statements s
       where s.period_start = '${month}-01' and (
             (select coalesce(sum(p.amount_cents), 0) from billing.statement_parts p where p.figures = s.figures) <> ${TOTAL}
          or (select coalesce(sum(l.amount_cents), 0) from billing.statement_lines l where l.figures = s.figures) <> ${TOTAL}
          or (s.totals -> 0 ->> 'amountCents')::int <> ${TOTAL}
          or (select count(*) from billing.statement_digests d where d.statement_id = s.id)
             <> case when s.status = 'finalized' then 3 else 0 end)`);
    expect(rows).toEqual([]);
    const { rows: counts } = await client.query(
      `select status, revision, count(*)::int as n, count(distinct partner_id)::int as partners
         from billing.statements where period_start = $1 group by status, revision`,
      [`${month}-01`],
    );
    expect(counts).toEqual([{ status: 'finalized', revision: 1, n: PARTNERS, partners: PARTNERS }]);
    const { rows: stray } = await client.query(
      'select count(*)::int as n from billing.statement_parts p where not exists (select 1 from billing.statements s where s.figures = p.figures)',
    );
    expect(stray).toEqual([{ n: 0 }]);
  };

  it.each([
    ['reviewed before', '2025-03', []],
    ['reviewed on the way', '2025-04', ['--review']],
  ])(
    'survives repeated kill -9, %s: each partner is finalized or not, and the next run does the rest',
    async (...of) => {
      const [, month, more] = of;
      if (more.length === 0) await review(month);
      for (let kills = 0; kills < 2; kills++) {
        const before = await finalized(month);
        const child = spawn(process.execPath, [MAIN, ...finalize(month, ...more)], {
          env: { PATH: process.env.PATH, DATABASE_URL: database.url },
          stdio: 'ignore',
        });
        const ended = new Promise((resolve) => child.on('exit', resolve));
        while ((await finalized(month)) < before + 10) await new Promise((resolve) => setTimeout(resolve, 2));
        child.kill('SIGKILL');
        await ended;
        const after = await finalized(month);
        expect(after).toBeLessThan(PARTNERS);
        expect(after).toBeGreaterThan(before);
        // One transaction reviews and locks: no draft is left between the two.
        expect(await drafts(month)).toBe(more.length === 0 ? PARTNERS - after : 0);
      }
      const last = await cli(database.url, finalize(month, '--json', ...more));
      expect(last.code).toBe(0);
      const { finalized: now, alreadyFinalized } = JSON.parse(last.stdout);
      expect(now.length + alreadyFinalized.length).toBe(PARTNERS);
      await assertWhole(month);
      const again = await cli(database.url, finalize(month, '--json', ...more));
      expect(JSON.parse(again.stdout).finalized).toEqual([]);
      await assertWhole(month);
    },
    120_000,
  );

  it('by two processes at once locks each statement once', async () => {
    const month = '2025-05';
    await review(month);
    const runs = await Promise.all([1, 2].map(() => cli(database.url, finalize(month, '--json'))));
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    const done = runs.map(({ stdout }) => JSON.parse(stdout) as Record<string, { id: string }[]>);
    const ids = done.flatMap((run) => run.finalized!.map(({ id }) => id));
    expect([ids.length, new Set(ids).size]).toEqual([PARTNERS, PARTNERS]);
    for (const run of done) expect(run.finalized!.length + run.alreadyFinalized!.length).toBe(PARTNERS);
    await assertWhole(month);
  }, 60_000);

  it('from two terminals for one partner: one locks the statement, the other says that it is already finalized', async () => {
    const month = '2025-07';
    const { rows } = await client.query<{ id: string }>('select id from partners.partners order by id limit 1');
    const only = ['--partner', rows[0]!.id];
    await cli(database.url, ['statements', 'review', '--period', month, '--by', 'Ada', ...only]);
    // Holds the partner's lock until both wait for it.
    await client.query(`select pg_advisory_lock(74022, hashtext($1))`, [rows[0]!.id]);
    const running = Promise.all([1, 2].map(() => cliProcess(database.url, finalize(month, ...only))));
    const waiting = `select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted`;
    while ((await client.query(waiting)).rows[0].n < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    await client.query(`select pg_advisory_unlock(74022, hashtext($1))`, [rows[0]!.id]);
    const runs = await running;
    expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual([[0, ''], [0, '']]); // prettier-ignore
    expect(runs.map(({ stdout }) => stdout.trimEnd().split('\n').at(-1)).sort()).toEqual([
      `Finalized 0 statements of ${month}. 1 statement already finalized, not changed.`,
      `Finalized 1 statement of ${month}.`,
    ]);
    expect(await finalized(month)).toBe(1);
  }, 60_000);
});
