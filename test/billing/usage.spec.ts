import { UsageRecomputation } from '#libs/billing';
import { FixedClock } from '../support/fixed-clock.js';
import { Staff } from '../support/billing/closing.js';
import { LiveWorld } from '../support/billing/live-world.js';
import { startPartnerApi, type RunningPartnerApi } from '../support/partner-api.js';
import type { HttpClient } from '../support/http/http-client.js';

describe('live usage', () => {
  const clock = new FixedClock('2026-06-10T08:00:00.000Z');
  let api: RunningPartnerApi;
  let staff: Staff;
  let world: LiveWorld;
  let client: HttpClient;

  beforeAll(async () => {
    api = await startPartnerApi({ clock });
    staff = new Staff(api, clock);
  });

  // Each test has partners of its own.
  beforeEach(async () => {
    clock.set('2026-06-10T08:00:00.000Z');
    world = await LiveWorld.begin(api.app, clock);
    await world.sign({ id: 'cA', partner: 'A', model: 'per_instance_metered', currency: 'EUR', unitPriceCents: 3000 });
    await world.sign({ id: 'cF', partner: 'A', model: 'flat_unlimited', currency: 'JPY', unitPriceCents: 600 });
    await world.issue('l1', 'cA');
    client = api.as(world.partner('A').readToken);
  });

  afterAll(() => api.close());

  const usage = async () => (await client.get('/v1/usage')).body;

  it('is empty before the first computation of the month', async () => {
    const empty = { periodStart: '2026-06-01', periodEnd: '2026-06-30', computedAt: null, totals: [], lines: [] };
    expect(await usage()).toEqual(empty);
  });

  it('accrues through the day of its computation, and is not a statement', async () => {
    clock.set('2026-06-15T01:00:00.000Z');
    const run = await staff.run('usage', 'recompute', '--partner', world.partner('A').id, '--json');
    expect([run.code, run.json.recomputed.length]).toEqual([0, 1]);
    clock.set('2026-06-20T01:00:00.000Z');
    const shown = await usage();
    expect(shown).toMatchObject({ computedAt: '2026-06-15T01:00:00.000Z', periodEnd: '2026-06-30' });
    // 6 of 30 days at 3000, 15 of 30 days at 600.
    expect(shown.totals).toEqual([
      { currency: 'EUR', amountCents: 600 },
      { currency: 'JPY', amountCents: 300 },
    ]);
    expect(shown.lines.flatMap((line: { detail: object[] }) => line.detail)).toEqual([
      { licenseId: world.license('l1'), keyMasked: expect.any(String), days: 6, amountCents: 600 },
    ]);
    expect((await client.get('/v1/statements')).body).toEqual([]);
    expect((await client.get(`/v1/statements/${run.json.recomputed[0].id}`)).status).toBe(404);
  });

  it('is computed for all partners by the daily run, with the same figures each time', async () => {
    await world.sign({ id: 'cB', partner: 'B', model: 'trial', currency: 'EUR', unitPriceCents: 0 });
    const daily = api.app.get(UsageRecomputation, { strict: false });
    const computed = await daily.run();
    expect(computed).toBeGreaterThanOrEqual(2);
    const first = await usage();
    clock.advance(3_600_000);
    expect(await daily.run()).toBe(computed);
    expect(await usage()).toEqual({ ...first, computedAt: '2026-06-10T09:00:00.000Z' });
    await world.terminate('l1');
    clock.set('2026-06-12T00:10:00.000Z');
    await daily.run();
    expect((await usage()).totals).toEqual([
      { currency: 'EUR', amountCents: 100 },
      { currency: 'JPY', amountCents: 240 },
    ]);
    expect((await api.as(world.partner('B').readToken).get('/v1/usage')).body).toMatchObject({ totals: [], lines: [] });
  });

  it('starts at zero with each month, and leaves a finalized month alone', async () => {
    await staff.run('usage', 'recompute');
    clock.set('2026-07-01T00:00:00.000Z');
    expect(await usage()).toMatchObject({ periodStart: '2026-07-01', computedAt: null, totals: [], lines: [] });
    const ofA = ['--partner', world.partner('A').id];
    await staff.finalize('2026-06', '--review', ...ofA);
    const before = (await client.get('/v1/statements')).body;
    const run = await staff.run('usage', 'recompute', '--period', '2026-06', ...ofA, '--json');
    expect([run.json.recomputed, run.json.locked.length]).toEqual([[], 1]);
    expect((await client.get('/v1/statements')).body).toEqual(before);
  });

  it('cannot be computed for a future month', async () => {
    const run = await staff.run('usage', 'recompute', '--period', '2026-07', '--json');
    expect([run.code, run.json.error.message]).toEqual([1, expect.stringContaining('period')]);
  });
});
