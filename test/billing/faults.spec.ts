import { spawn } from 'node:child_process';
import path from 'node:path';
import pg from 'pg';
import { cli } from '../support/cli.js';
import { bulkWorld } from '../support/billing/bulk-world.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const MAIN = path.resolve(__dirname, '../../dist/apps/cli/src/main.js');
const PARTNERS = 300;
const LICENSES = 20;
/** 1099 cents for each license of the whole month. */
const TOTAL = 1099 * LICENSES;
const FINALIZE = ['statements', 'finalize', '--period', '2025-03', '--by', 'Ada', '--yes', '--json'];

describe('finalizing some hundred partners', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeEach(async () => {
    database = await createTestDatabase();
    await bulkWorld(database.url, { partners: PARTNERS, licensesEach: LICENSES });
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const review = await cli(database.url, ['statements', 'review', '--period', '2025-03', '--by', 'Ada', '--json']);
    expect(JSON.parse(review.stdout).reviewed).toHaveLength(PARTNERS);
  });

  afterEach(async () => {
    await client.end();
    await database.drop();
  });

  const finalized = async () => {
    const { rows } = await client.query(`select count(*)::int as n from billing.statements where status = 'finalized'`);
    return rows[0].n as number;
  };

  /** What must hold after any fault: a statement is a draft or wholly finalized, with its lines, parts and digests. */
  const assertWhole = async (expected: number) => {
    const { rows } = await client.query(`
      select s.id from billing.statements s
       where (select coalesce(sum(p.amount_cents), 0) from billing.statement_parts p where p.figures = s.figures) <> ${TOTAL}
          or (select coalesce(sum(l.amount_cents), 0) from billing.statement_lines l where l.figures = s.figures) <> ${TOTAL}
          or (s.totals -> 0 ->> 'amountCents')::int <> ${TOTAL}
          or (select count(*) from billing.statement_digests d where d.statement_id = s.id)
             <> case when s.status = 'finalized' then 3 else 0 end`);
    expect(rows).toEqual([]);
    const { rows: counts } = await client.query(
      `select status, revision, count(*)::int as n, count(distinct partner_id)::int as partners
         from billing.statements group by status, revision`,
    );
    expect(counts).toEqual([{ status: 'finalized', revision: 1, n: expected, partners: expected }]);
    const { rows: stray } = await client.query(
      'select count(*)::int as n from billing.statement_parts p where not exists (select 1 from billing.statements s where s.figures = p.figures)',
    );
    expect(stray).toEqual([{ n: 0 }]);
  };

  it('survives kill -9 again and again: each partner is done or untouched, and the next run does the rest', async () => {
    for (let kills = 0; kills < 3; kills++) {
      const before = await finalized();
      const child = spawn(process.execPath, [MAIN, ...FINALIZE], {
        env: { PATH: process.env.PATH, DATABASE_URL: database.url },
      });
      const ended = new Promise((resolve) => child.on('exit', resolve));
      while ((await finalized()) < before + 20) await new Promise((resolve) => setTimeout(resolve, 5));
      child.kill('SIGKILL');
      await ended;
      const after = await finalized();
      expect(after).toBeLessThan(PARTNERS);
      expect(after).toBeGreaterThan(before);
    }
    const last = await cli(database.url, FINALIZE);
    expect(last.code).toBe(0);
    const { finalized: now, alreadyFinalized } = JSON.parse(last.stdout);
    expect(now.length + alreadyFinalized.length).toBe(PARTNERS);
    await assertWhole(PARTNERS);
    const again = await cli(database.url, FINALIZE);
    expect(JSON.parse(again.stdout).finalized).toEqual([]);
    await assertWhole(PARTNERS);
  }, 240_000);

  it('from two terminals at once locks each statement once', async () => {
    const runs = await Promise.all([cli(database.url, FINALIZE), cli(database.url, FINALIZE)]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    const done = runs.map(({ stdout }) => JSON.parse(stdout) as Record<string, { id: string }[]>);
    const ids = done.flatMap((run) => run.finalized!.map(({ id }) => id));
    expect([ids.length, new Set(ids).size]).toEqual([PARTNERS, PARTNERS]);
    for (const run of done) expect(run.finalized!.length + run.alreadyFinalized!.length).toBe(PARTNERS);
    await assertWhole(PARTNERS);
  }, 120_000);
});
