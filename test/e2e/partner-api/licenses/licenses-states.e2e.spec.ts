import { DataSource } from 'typeorm';
import { Contracts } from '#libs/billing';
import { TrialExpiry } from '#libs/licensing';
import { BillingDate } from '#kernel/time/calendar-date';
import { aLicense, aSeller, type Seller } from '../../../support/builders/a-license.js';
import { aContract } from '../../../support/builders/a-world.js';
import { FixedClock } from '../../../support/fixed-clock.js';
import { startPartnerApi, type RunningPartnerApi } from '../../../support/partner-api.js';

type State = 'active' | 'trial' | 'suspended' | 'expired' | 'terminated';

describe('states of a license', () => {
  const clock = new FixedClock('2026-05-10T12:00:00.000Z');
  let api: RunningPartnerApi;
  let seller: Seller;

  beforeAll(async () => {
    api = await startPartnerApi({ clock });
    seller = await aSeller(api);
  });

  beforeEach(() => clock.set('2026-05-10T12:00:00.000Z'));

  afterAll(() => api.close());

  const post = (id: string, call: string, body?: unknown) => seller.client.post(`/v1/licenses/${id}/${call}`, body);

  async function aTrial(lastDay = '2026-05-20') {
    const terms = { model: 'trial', unitPriceCents: 0, validTo: lastDay } as const;
    const { id: contractId } = await aContract(api.app, seller.partner.id, terms);
    return { ...(await aLicense(seller, { contractId })), contractId };
  }

  async function licenseIn(state: State): Promise<string> {
    const { id } = state === 'trial' || state === 'expired' ? await aTrial() : await aLicense(seller);
    if (state === 'suspended') await post(id, 'suspend');
    if (state === 'terminated') await post(id, 'terminate');
    if (state === 'expired') clock.set('2026-05-21T00:00:00.000Z');
    return id;
  }

  async function eventsOf(id: string): Promise<string[]> {
    const { body } = await seller.client.get(`/v1/customers/${seller.customerId}/activity?limit=200`);
    return body.filter((event: any) => event.licenseId === id).map((event: any) => event.event);
  }

  const CALLS: [string, unknown, Record<State, [number, string]>][] = [
    [
      'suspend',
      undefined,
      {
        active: [200, 'suspended'],
        trial: [200, 'suspended'],
        suspended: [200, 'suspended'],
        expired: [409, 'license-expired'],
        terminated: [409, 'license-terminated'],
      },
    ],
    [
      'resume',
      undefined,
      {
        active: [409, 'license-not-suspended'],
        trial: [409, 'license-not-suspended'],
        suspended: [200, 'active'],
        expired: [409, 'license-expired'],
        terminated: [409, 'license-terminated'],
      },
    ],
    [
      'terminate',
      undefined,
      {
        active: [200, 'terminated'],
        trial: [200, 'terminated'],
        suspended: [200, 'terminated'],
        expired: [200, 'terminated'],
        terminated: [200, 'terminated'],
      },
    ],
    ...(['web-pro', 'web-host'] as const).map((edition): (typeof CALLS)[number] => [
      'edition',
      { edition },
      {
        active: [200, 'active'],
        trial: [409, 'license-not-active'],
        suspended: [409, 'license-not-active'],
        expired: [409, 'license-not-active'],
        terminated: [409, 'license-not-active'],
      },
    ]),
  ];
  const CASES = CALLS.flatMap(([call, body, outcomes]) =>
    Object.entries(outcomes).map(([state, outcome]) => [call, body, state as State, ...outcome] as const),
  );

  it.each(CASES)('%s with %j of a license that is %s gives %i %s', async (call, body, state, status, outcome) => {
    const id = await licenseIn(state);
    const answer = await post(id, call, body);
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.body.state).toBe(outcome);
    else expect(answer.headers.get('x-error-reason')).toBe(outcome);
    const read = await seller.client.get(`/v1/licenses/${id}`);
    expect(read.body.state).toBe(status === 200 ? outcome : state);
  });

  it('keep the first time of termination and record each change once', async () => {
    const { id } = await aLicense(seller);
    await post(id, 'suspend');
    await post(id, 'suspend');
    await post(id, 'resume');
    await post(id, 'edition', { edition: 'web-host' });
    await post(id, 'edition', { edition: 'web-pro' });
    await post(id, 'terminate');
    clock.set('2026-05-12T00:00:00.000Z');
    expect((await post(id, 'terminate')).body.terminatedAt).toBe('2026-05-10T12:00:00.000Z');
    expect(await eventsOf(id)).toEqual([
      'license.terminated',
      'license.edition_changed',
      'license.resumed',
      'license.suspended',
      'license.issued',
    ]);
  });

  it('distinguish an unknown edition from one that the contract excludes', async () => {
    const { id: contractId } = await aContract(api.app, seller.partner.id, { editions: ['web-host'] });
    const { id } = await aLicense(seller, { contractId });
    const unknown = await post(id, 'edition', { edition: 'nonsense' });
    expect([unknown.status, unknown.headers.get('x-error-reason')]).toEqual([422, 'edition-unknown']);
    const excluded = await post(id, 'edition', { edition: 'web-pro' });
    expect([excluded.status, excluded.headers.get('x-error-reason')]).toEqual([422, 'edition-not-in-contract']);
    const missing = await post(id, 'edition', {});
    expect([missing.status, missing.headers.get('x-error-reason')]).toEqual([422, 'validation']);
  });

  it('end a trial with the last day of its contract, consistently in reads, filters and the daily run', async () => {
    const { id } = await aTrial('2026-05-20');
    clock.set('2026-05-20T23:59:59.999Z');
    expect((await seller.client.get(`/v1/licenses/${id}`)).body.state).toBe('trial');
    clock.set('2026-05-21T00:00:00.000Z');
    const listed = async (state: string) =>
      (await seller.client.get(`/v1/licenses?state=${state}&limit=200`)).body.map((license: any) => license.id);
    expect((await seller.client.get(`/v1/licenses/${id}`)).body.state).toBe('expired');
    expect(await listed('expired')).toContain(id);
    expect(await listed('trial')).not.toContain(id);
    await api.app.get(TrialExpiry, { strict: false }).expireDue();
    await api.app.get(TrialExpiry, { strict: false }).expireDue();
    expect((await seller.client.get(`/v1/licenses/${id}`)).body.state).toBe('expired');
    expect(await listed('expired')).toContain(id);
    expect(await eventsOf(id)).toEqual(['license.expired', 'license.issued']);
  });

  it('resume a trial as trial, and as expired after its end', async () => {
    const first = await aTrial();
    await post(first.id, 'suspend');
    expect((await post(first.id, 'resume')).body.state).toBe('trial');
    await post(first.id, 'suspend');
    clock.set('2026-06-01T00:00:00.000Z');
    expect((await seller.client.get(`/v1/licenses/${first.id}`)).body.state).toBe('suspended');
    expect((await post(first.id, 'resume')).body.state).toBe('expired');
    expect((await eventsOf(first.id)).slice(0, 2)).toEqual(['license.expired', 'license.resumed']);
  });

  it('record the expiry before the termination of a trial that no daily run has seen', async () => {
    const id = await licenseIn('expired');
    await post(id, 'terminate');
    expect(await eventsOf(id)).toEqual(['license.terminated', 'license.expired', 'license.issued']);
  });

  it('move the end of a trial with the end of its contract, but not for trials that expired before', async () => {
    const late = await aTrial('2026-05-20');
    const contracts = api.app.get(Contracts, { strict: false });
    await contracts.end(late.contractId, BillingDate.parse('2026-05-25')!);
    clock.set('2026-05-21T00:00:00.000Z');
    expect((await seller.client.get(`/v1/licenses/${late.id}`)).body.state).toBe('trial');
    clock.set('2026-05-26T00:00:00.000Z');
    await contracts.end(late.contractId, BillingDate.parse('2026-06-30')!);
    expect((await seller.client.get(`/v1/licenses/${late.id}`)).body.state).toBe('expired');
  });

  it('can be filtered for, however a license got into the state', async () => {
    const { id: suspended } = await aTrial();
    await post(suspended, 'suspend');
    const moved = await aTrial('2026-05-12');
    await api.app.get(Contracts, { strict: false }).end(moved.contractId, BillingDate.parse('2026-07-01')!);
    for (const state of ['suspended', 'terminated', 'trial'] as const) await licenseIn(state);
    const { id: resumed } = await aLicense(seller);
    await post(resumed, 'suspend');
    await post(resumed, 'resume');
    clock.set('2026-06-15T00:00:00.000Z');
    const all: { id: string; state: string; issuedAt: string }[] = (await seller.client.get('/v1/licenses?limit=200'))
      .body;
    for (const state of ['trial', 'suspended', 'expired', 'terminated']) {
      const expected = all.filter((license) => license.state === state).map(({ id }) => id);
      const listed = async (query: string) =>
        (await seller.client.get(`/v1/licenses?state=${state}&${query}`)).body.map(({ id }: { id: string }) => id);
      expect(expected.length).toBeGreaterThan(0);
      expect(await listed('limit=200')).toEqual(expected);
      expect(await listed('limit=1&offset=1')).toEqual(expected.slice(1, 2));
      expect(await listed(`after=${expected[0]}`)).toEqual(expected.slice(1));
      const from = all.find(({ id }) => id === expected[0])!.issuedAt;
      expect(await listed(`issuedFrom=${from}&issuedTo=${from}`)).toContain(expected[0]);
    }
    const difference = await api.app.get(DataSource, { strict: false }).query<unknown[]>(`
      with found as (select state, issued_at, license_id, ends_on from licensing.unlike_active), should as (
        select state, issued_at, id, case state when 'trial' then expires_on end from licensing.licenses
         where state <> 'active')
      (select 'missing', * from (table should except table found) lack)
      union all (select 'stale', * from (table found except table should) excess)`);
    expect(difference).toEqual([]);
  });

  it('change without a new entry in any index of the table', async () => {
    const indexes = await api.app.get(DataSource, { strict: false }).query<unknown[]>(
      `select indexdef from pg_indexes
        where schemaname = 'licensing' and tablename = 'licenses' and indexdef ~ '\\mstate\\M'`,
    );
    expect(indexes).toEqual([]);
  });

  it('change once for all repeats with the same Idempotency-Key', async () => {
    const { id } = await aLicense(seller);
    await post(id, 'suspend');
    const resume = () => seller.client.post(`/v1/licenses/${id}/resume`, undefined, { 'idempotency-key': `r-${id}` });
    const first = await resume();
    const again = await resume();
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });
});
