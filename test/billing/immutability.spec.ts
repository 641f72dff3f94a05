import pg from 'pg';
import { FixedClock } from '../support/fixed-clock.js';
import { downloads } from '../support/billing/downloads.js';
import { Staff } from '../support/billing/closing.js';
import { LiveWorld } from '../support/billing/live-world.js';
import { startPartnerApi, type RunningPartnerApi } from '../support/partner-api.js';

describe('a finalized statement in the database, as the role of the application', () => {
  const clock = new FixedClock('2026-06-01T08:00:00.000Z');
  let api: RunningPartnerApi;
  let staff: Staff;
  let world: LiveWorld;
  let client: pg.Client;
  let id: string;

  beforeAll(async () => {
    api = await startPartnerApi({ clock });
    staff = new Staff(api, clock);
    world = await LiveWorld.begin(api.app, clock);
    await world.sign({ id: 'cA', partner: 'A', model: 'per_instance_metered', currency: 'EUR', unitPriceCents: 1000 });
    await world.sign({ id: 'cF', partner: 'A', model: 'flat_unlimited', currency: 'EUR', unitPriceCents: 500 });
    await world.issue('l1', 'cA');
    clock.set('2026-07-02T00:00:00.000Z');
    id = (await staff.finalize('2026-06', '--review')).json.finalized[0].id;
    client = new pg.Client({ connectionString: api.database.url });
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    await api.close();
  });

  const figures = `(select figures from billing.statements where id = $1)`;

  it('is tested with a role that is not a superuser', async () => {
    const { rows } = await client.query('select rolsuper from pg_roles where rolname = current_user');
    expect(rows).toEqual([{ rolsuper: false }]);
  });

  test.each([
    ['its totals', `update billing.statements set totals = '[]' where id = $1`],
    [
      'its state back to draft',
      `update billing.statements set status = 'draft', finalized_at = null, finalized_by = null where id = $1`,
    ],
    ['who locked it', `update billing.statements set finalized_by = 'Eve' where id = $1`],
    [
      'its figures while it is superseded',
      `update billing.statements set status = 'superseded', figures = -1 where id = $1`,
    ],
    ['nothing at all', `update billing.statements set revision = revision where id = $1`],
    ['its existence', `delete from billing.statements where id = $1`],
    ['the amount of a line', `update billing.statement_lines set amount_cents = 0 where figures = ${figures}`],
    ['the lines', `delete from billing.statement_lines where figures = ${figures}`],
    ['an amount of a license', `update billing.statement_parts set amount_cents = 0 where figures = ${figures}`],
    ['the days of a license', `update billing.statement_parts set days = 1 where figures = ${figures}`],
    ['the licenses', `delete from billing.statement_parts where figures = ${figures}`],
    [
      'the number of its lines',
      `insert into billing.statement_lines select figures, 9, contract_id, model, currency, 1, 1, 1, 1, null, null, null,
         valid_from, valid_to from billing.statement_lines where position = 0 and figures = ${figures}`,
    ],
    [
      'the number of its licenses',
      `insert into billing.statement_parts select figures, position, '${'f'.repeat(8)}-ffff-4fff-8fff-ffffffffffff', days,
         amount_cents, event_ids, key_masked from billing.statement_parts where figures = ${figures}`,
    ],
    [
      'its digests',
      `update billing.statement_digests set sha256 = decode(repeat('00', 32), 'hex') where statement_id = $1`,
    ],
    ['its reviews', `delete from billing.reviews where statement_id = $1`],
  ])('does not allow changing %s', async (_what, sql) => {
    const before = await downloads(api.as(world.partner('A').readToken), id);
    await expect(client.query(sql, [id])).rejects.toMatchObject({ code: '42501' });
    expect(await downloads(api.as(world.partner('A').readToken), id)).toEqual(before);
  });

  test.each(['statements', 'statement_lines', 'statement_parts', 'statement_digests', 'reviews'])(
    'does not allow emptying %s',
    async (table) => {
      await expect(client.query(`truncate billing.${table} cascade`)).rejects.toMatchObject({ code: '42501' });
    },
  );

  it('can only begin as a draft', async () => {
    const sql = `insert into billing.statements
        select '${'e'.repeat(8)}-eeee-4eee-8eee-eeeeeeeeeeee', partner_id, '2026-01-01', 1, status, -1, null, computed_at, figures_hash,
               contents_hash, totals, finalized_by, finalized_at, null, null, null, null
          from billing.statements where id = $1`;
    await expect(client.query(sql, [id])).rejects.toMatchObject({ code: '42501' });
  });

  it('has one current revision a month', async () => {
    const sql = `insert into billing.statements (id, partner_id, period_start, revision, status, figures, computed_at,
        figures_hash, contents_hash, totals, supersedes_statement_id)
      select '${'d'.repeat(8)}-dddd-4ddd-8ddd-dddddddddddd', partner_id, period_start, 2, 'draft', -2, computed_at, '', '', '[]', id
        from billing.statements where id = $1`;
    await expect(client.query(sql, [id])).rejects.toMatchObject({ constraint: 'statements_current' });
  });
});
