import { FixedClock } from '../support/fixed-clock.js';
import { Staff } from '../support/billing/closing.js';
import { LiveWorld } from '../support/billing/live-world.js';
import { startPartnerApi, type RunningPartnerApi } from '../support/partner-api.js';
import type { CliAnswer } from '../support/processes/staff-cli.js';
import type { HttpClient } from '../support/http/http-client.js';

const METERED = { model: 'per_instance_metered', currency: 'EUR', unitPriceCents: 3000 } as const;

describe('a statement from draft to correction', () => {
  const clock = new FixedClock('2026-06-01T08:00:00.000Z');
  let api: RunningPartnerApi;
  let staff: Staff;
  let world: LiveWorld;
  let [seller, buyer]: HttpClient[] = [];

  beforeAll(async () => {
    api = await startPartnerApi({ clock });
    staff = new Staff(api, clock);
  });

  // Each test has partners of its own, and closes the month for them alone.
  beforeEach(async () => {
    clock.set('2026-06-01T08:00:00.000Z');
    world = await LiveWorld.begin(api.app, clock);
    await world.sign({ id: 'cA', partner: 'A', ...METERED });
    await world.sign({ id: 'cB', partner: 'B', ...METERED });
    await world.issue('l1', 'cA');
    seller = api.as(world.partner('A').readToken);
    buyer = api.as(world.partner('B').readToken);
  });

  afterAll(() => api.close());

  /** Both partners of the story, as one run for all would. */
  const finalize = async (...more: string[]) => {
    const runs: CliAnswer[] = [];
    for (const name of ['A', 'B']) {
      runs.push(await staff.finalize('2026-06', '--partner', world.partner(name).id, ...more));
    }
    const all = (field: string) => runs.flatMap(({ json }) => json[field] ?? []) as object[];
    return {
      code: Math.max(...runs.map(({ code }) => code)),
      error: runs.map(({ json }) => json.error?.code).find((slug) => slug !== undefined),
      finalized: all('finalized'),
      alreadyFinalized: all('alreadyFinalized'),
    };
  };

  const needingCorrection = async () => {
    const own = ['A', 'B'].map((name) => world.partner(name).id as string);
    const { json } = await staff.statements('list', '--needs-correction');
    return (json as { partnerId: string }[]).filter(({ partnerId }) => own.includes(partnerId));
  };

  const statementsOf = async (client: HttpClient) => (await client.get('/v1/statements')).body;

  it('is not finalized before the month has ended, or without a review', async () => {
    clock.set('2026-06-30T23:59:59.999Z');
    const early = await finalize('--review');
    expect([early.code, early.error]).toEqual([1, 'month-not-ended']);
    clock.set('2026-07-01T00:00:00.000Z');
    const unseen = await finalize();
    expect([unseen.code, unseen.error]).toEqual([1, 'statement-not-reviewed']);
    expect(await statementsOf(seller!)).toEqual([]);
    await staff.review('2026-06');
    expect(await statementsOf(seller!)).toEqual([]);
    expect((await finalize()).code).toBe(0);
    const [statement] = await statementsOf(seller!);
    expect(statement).toMatchObject({ revision: 1, status: 'finalized', finalizedBy: 'Grace' });
    expect(statement).not.toHaveProperty('partnerId');
    expect(statement).not.toHaveProperty('lines');
    expect(statement).not.toHaveProperty('supersedesStatementId');
    expect(statement.totals).toEqual([{ currency: 'EUR', amountCents: 3000 }]);
  });

  it('is not finalized if the figures changed after the review', async () => {
    clock.set('2026-07-02T00:00:00.000Z');
    await staff.review('2026-06');
    await world.transfer('l1', 'cB', '2026-06-16');
    const changed = await staff.finalize('2026-06', '--partner', world.partner('A').id);
    expect([changed.code, changed.json.error.code]).toEqual([1, 'figures-changed']);
    const list = await staff.statements('list', '--period', '2026-06', '--partner', world.partner('A').id);
    expect(list.json.map(({ status }: { status: string }) => status)).toEqual(['draft']);
  });

  it('is locked once; a second run changes nothing', async () => {
    clock.set('2026-07-02T00:00:00.000Z');
    const first = await finalize('--review');
    expect(first.finalized).toHaveLength(1);
    clock.set('2026-07-03T00:00:00.000Z');
    const before = await statementsOf(seller!);
    const second = await finalize('--review');
    expect([second.code, second.finalized, second.alreadyFinalized.length]).toEqual([0, [], 1]);
    expect(await statementsOf(seller!)).toEqual(before);
    // A script needs no --yes if there is nothing to lock.
    const own = ['--period', '2026-06', '--by', 'Grace', '--partner', world.partner('A').id];
    const third = await staff.statements('finalize', ...own);
    expect([third.code, third.json.finalized, third.json.alreadyFinalized.length]).toEqual([0, [], 1]);
  });

  it('is flagged by a late transfer for both partners, keeps its figures, and is corrected by a new revision', async () => {
    await world.issue('l2', 'cB');
    clock.set('2026-07-02T00:00:00.000Z');
    await finalize('--review');
    const [finalized] = await statementsOf(seller!);
    await world.transfer('l1', 'cB', '2026-06-16');
    expect(await statementsOf(seller!)).toEqual([finalized]);
    expect(await needingCorrection()).toHaveLength(2);

    const draft = await staff.correct(finalized.id);
    expect(draft.json).toMatchObject({ revision: 2, status: 'draft', supersedesStatementId: finalized.id });
    expect(await statementsOf(seller!)).toEqual([{ ...finalized, status: 'superseded' }]);
    expect((await seller!.get(`/v1/statements/${draft.json.id}`)).status).toBe(404);
    const again = await staff.correct(finalized.id);
    expect([again.code, again.json.error.code]).toEqual([1, 'statement-not-finalized']);
    expect(await needingCorrection()).toHaveLength(1);

    const args = ['review', '--period', '2026-06', '--by', 'Ada', '--partner', world.partner('A').id];
    const { out } = await staff.run('statements', ...args);
    expect(out).toMatch(/15\.00 EUR +│ -15\.00 EUR/);
    expect(out).toMatch(/│ to rev\. 1/);

    await finalize('--review');
    const [current, superseded] = await statementsOf(seller!);
    expect(current).toMatchObject({ revision: 2, supersedesStatementId: finalized.id });
    expect(current.totals).toEqual([{ currency: 'EUR', amountCents: 1500 }]);
    expect(superseded.id).toBe(finalized.id);
    const { body } = await seller!.get(`/v1/statements/${finalized.id}`);
    expect(body).toMatchObject({ status: 'superseded', totals: [{ currency: 'EUR', amountCents: 3000 }] });
  });

  it('gets revision 1 for a partner that had nothing in the month, and an empty revision for one with nothing left', async () => {
    clock.set('2026-07-02T00:00:00.000Z');
    await finalize('--review');
    expect(await statementsOf(buyer!)).toEqual([]);
    await world.transfer('l1', 'cB', '2026-06-01');
    const [finalized] = await statementsOf(seller!);
    await staff.correct(finalized.id);
    expect((await finalize('--review')).finalized).toHaveLength(2);
    expect(await statementsOf(buyer!)).toMatchObject([{ revision: 1, totals: [{ amountCents: 3000 }] }]);
    const [left] = await statementsOf(seller!);
    expect((await seller!.get(`/v1/statements/${left.id}`)).body).toMatchObject({ revision: 2, totals: [], lines: [] });
  });
});
