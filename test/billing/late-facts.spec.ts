import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { StatementService } from '#libs/billing';
import { BillingPeriod } from '#kernel/time/billing-period';
import { FixedClock } from '../support/fixed-clock.js';
import { Staff } from '../support/billing/closing.js';
import { LiveWorld } from '../support/billing/live-world.js';
import { startPartnerApi, type RunningPartnerApi } from '../support/partner-api.js';

const EUR = { currency: 'EUR', unitPriceCents: 3000 } as const;
const JUNE = BillingPeriod.parse('2026-06')!;

describe('facts that become known after a month was finalized', () => {
  const clock = new FixedClock('2026-05-01T08:00:00.000Z');
  let api: RunningPartnerApi;
  let staff: Staff;
  let world: LiveWorld;

  beforeAll(async () => {
    api = await startPartnerApi({ clock });
    staff = new Staff(api, clock);
  });

  // Each test has partners of its own.
  beforeEach(async () => {
    clock.set('2026-05-01T08:00:00.000Z');
    world = await LiveWorld.begin(api.app, clock);
    await world.sign({ id: 'cA', partner: 'A', model: 'per_instance_metered', ...EUR });
    await world.sign({ id: 'cB', partner: 'B', model: 'per_instance_metered', ...EUR });
    await world.sign({ id: 'cF', partner: 'A', model: 'flat_unlimited', ...EUR, validTo: '2026-08-15' });
    await world.issue('a', 'cA');
    await world.issue('b', 'cB');
    clock.set('2026-07-10T00:00:00.000Z');
    for (const month of ['2026-05', '2026-06']) await staff.finalize(month, '--review');
  });

  afterAll(() => api.close());

  const flagged = async () => {
    const names = new Map(['A', 'B'].map((name) => [world.partner(name).id as string, name]));
    const { json } = await staff.statements('list', '--needs-correction');
    return (json as { partnerId: string; periodStart: string }[])
      .filter(({ partnerId }) => names.has(partnerId))
      .map(({ partnerId, periodStart }) => `${names.get(partnerId)} ${periodStart.slice(0, 7)}`)
      .sort();
  };

  it('flag nothing if they take effect in the current month', async () => {
    await world.transfer('a', 'cB', '2026-07-01');
    await world.terminate('a');
    expect(await flagged()).toEqual([]);
  });

  it('flag every finalized month from the effective day on, for both partners', async () => {
    await world.transfer('a', 'cB', '2026-06-30');
    expect(await flagged()).toEqual(['A 2026-06', 'B 2026-06']);
    await world.transfer('b', 'cA', '2026-05-20');
    expect(await flagged()).toEqual(['A 2026-05', 'A 2026-06', 'B 2026-05', 'B 2026-06']);
  });

  it('are never shown to a partner', async () => {
    await world.transfer('a', 'cB', '2026-06-30');
    const client = api.as(world.partner('A').readToken);
    const list = await client.get('/v1/statements');
    const one = await client.get(`/v1/statements/${list.body[0].id}`);
    expect(`${list.text}${one.text}`).not.toContain('orrection');
  });

  it('include the end of a flat contract moved into the past, and a flat contract that began in the past', async () => {
    const end = (day: string) => staff.run('contracts', 'end', world.contract('cF').contractId, '--valid-to', day);
    await end('2026-07-31');
    expect(await flagged()).toEqual([]);
    await end('2026-06-30');
    expect(await flagged()).toEqual([]);
    await end('2026-06-29');
    expect(await flagged()).toEqual(['A 2026-06']);
    await world.sign({ id: 'cG', partner: 'B', model: 'flat_capped', ...EUR, validFrom: '2026-05-31' });
    expect(await flagged()).toEqual(['A 2026-06', 'B 2026-05', 'B 2026-06']);
  });

  it('include histories that are imported', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'tenantry-late-'));
    const { contractId, customerId, partner } = world.contract('cB');
    const license = { type: 'license', ref: 'old', partnerId: partner.id, customerId, contractId };
    const line = { ...license, edition: 'web-host', state: 'active', issuedAt: '2026-06-20T00:00:00Z' };
    try {
      const file = path.join(folder, 'late.jsonl');
      writeFileSync(file, `${JSON.stringify(line)}\n`);
      expect((await staff.run('import', file, '--json')).json).toMatchObject({ imported: { license: 1 } });
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(await flagged()).toEqual(['B 2026-06']);
  });

  it('include a transfer by staff, who may backdate it within one partner; the ledger names them', async () => {
    const { customerId, partner } = world.contract('cA');
    const to = [
      '--to-partner',
      partner.id,
      '--to-customer',
      customerId,
      '--to-contract',
      world.contract('cF').contractId,
    ];
    const why = ['--by', 'Ada', '--reason', 'signed in June', '--effective-date', '2026-06-15'];
    const moved = await staff.run('licenses', 'transfer', world.license('a'), ...to, ...why, '--json');
    expect(moved.json).toMatchObject({ effectiveDate: '2026-06-15', createdBy: null });
    expect(await flagged()).toEqual(['A 2026-06']);
    const { body } = await api
      .as(partner.readToken)
      .get(`/v1/customers/${customerId}/activity?event=license.transferred_in`);
    expect(body).toMatchObject([{ actor: 'Ada' }]);
  });

  it('are recognised by the state of the statement, not by the clock of the process that issues and terminates', async () => {
    // The clock of this process is behind.
    clock.set('2026-06-30T23:59:00.000Z');
    await world.issue('late', 'cB');
    expect(await flagged()).toEqual(['B 2026-06']);
    await world.terminate('b');
    expect(await flagged()).toEqual(['B 2026-06']);
    clock.set('2026-06-29T23:59:00.000Z');
    await world.terminate('a');
    expect(await flagged()).toEqual(['A 2026-06', 'B 2026-06']);
  });

  it('flag nothing if the license ends with the last day of the month', async () => {
    clock.set('2026-06-30T23:59:00.000Z');
    await world.terminate('a');
    expect(await flagged()).toEqual([]);
  });

  it('are either included in a statement that is being finalized, or flag it', async () => {
    const service = api.app.get(StatementService, { strict: false });
    clock.set('2026-08-02T00:00:00.000Z');
    const july = JUNE.next();
    await Promise.all(['A', 'B'].map((name) => service.review(world.partner(name).id, july, 'Ada')));
    const finalizing = ['A', 'B'].map((name) => service.finalize(world.partner(name).id, july, 'Ada'));
    const [moved, ...results] = await Promise.allSettled([world.transfer('a', 'cB', '2026-07-15'), ...finalizing]);
    expect(moved.status).toBe('fulfilled');
    const flags = await flagged();
    ['A', 'B'].forEach((name, index) => {
      const result = results[index]!;
      if (result.status === 'fulfilled') expect(flags).toContain(`${name} 2026-07`);
      else expect(result.reason).toMatchObject({ slug: 'figures-changed' });
    });
  });
});
