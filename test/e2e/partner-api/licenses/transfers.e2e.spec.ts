import { UpstreamSync } from '#libs/licensing';
import { aDistributor, aLicense, aSeller, transferTo, type Seller } from '../../../support/builders/a-license.js';
import { aPartner, type PartnerWithTokens } from '../../../support/builders/a-partner.js';
import { aContract, aCustomer } from '../../../support/builders/a-world.js';
import { FixedClock } from '../../../support/fixed-clock.js';
import type { HttpClient } from '../../../support/http/http-client.js';
import { startLicensingApi, type LicensingApi } from '../../../support/licensing/licensing-api.js';

const UNKNOWN = '11111111-2222-4333-8444-555555555555';

describe('transfers', () => {
  const clock = new FixedClock('2026-05-10T12:00:00.000Z');
  let api: LicensingApi;
  let parent: PartnerWithTokens;
  let client: HttpClient;
  let from: Seller;
  let to: Seller;

  beforeAll(async () => {
    api = await startLicensingApi({ clock });
    ({ parent, client, from, to } = await aDistributor(api));
  });

  beforeEach(() => clock.set('2026-05-10T12:00:00.000Z'));

  afterAll(() => api.close());

  const wish = (licenseId: string, target: Seller = to) => transferTo(target, licenseId);

  const reasonOf = async (body: object) => {
    const answer = await client.post('/v1/transfers', body);
    return [answer.status, answer.headers.get('x-error-reason')];
  };

  async function spansOf(licenseId: string): Promise<string[]> {
    const rows = await api.sql<{ contract_id: string; days: string }>(
      'select contract_id, days::text from licensing.ownership_spans where license_id = $1 order by lower(days)',
      [licenseId],
    );
    const names = new Map([
      [from.contractId, 'from'],
      [to.contractId, 'to'],
    ]);
    return rows.map(({ contract_id, days }) => `${names.get(contract_id) ?? contract_id} ${days}`);
  }

  it('moves the commercial owner and leaves the key alone', async () => {
    const before = await aLicense(from);
    const answer = await client.post('/v1/transfers', wish(before.id));
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(String),
      humanId: expect.stringMatching(/^T-\d+$/),
      licenseId: before.id,
      licenseHumanId: before.humanId,
      fromPartnerId: from.partner.id,
      fromCustomerId: from.customerId,
      fromContractId: from.contractId,
      toPartnerId: to.partner.id,
      toCustomerId: to.customerId,
      toContractId: to.contractId,
      reason: 'moved house',
      effectiveDate: '2026-05-10',
      status: 'completed',
      metadataSync: 'pending',
      createdBy: expect.any(String),
      createdAt: '2026-05-10T12:00:00.000Z',
    });
    const after = await client.get(`/v1/licenses/${before.id}`);
    expect(after.body).toEqual({
      ...before,
      partnerId: to.partner.id,
      customerId: to.customerId,
      contractId: to.contractId,
    });
    expect((await from.client.get(`/v1/licenses/${before.id}`)).status).toBe(404);
    expect((await to.client.get(`/v1/licenses?limit=200`)).text).toContain(before.id);
    expect((await from.client.get(`/v1/licenses?limit=200`)).text).not.toContain(before.id);
  });

  it('tells the license service afterwards, and says so', async () => {
    const { id, upstreamLicenseId } = await aLicense(from);
    const { body } = await client.post('/v1/transfers', wish(id));
    await api.app.get(UpstreamSync, { strict: false }).syncDue();
    const [listed] = (await client.get(`/v1/transfers?licenseId=${id}`)).body;
    expect(listed).toEqual({ ...body, metadataSync: 'synced' });
    const metadata = api.service.records.get(upstreamLicenseId as never)?.metadata;
    expect(metadata).toMatchObject({ partnerId: to.partner.id, customerId: to.customerId, sequence: 2 });
  });

  it('shows a sync that keeps failing, and mends it when the license service is back', async () => {
    const { id } = await aLicense(from);
    await client.post('/v1/transfers', wish(id));
    const sync = api.app.get(UpstreamSync, { strict: false });
    const stateOf = async () => (await client.get(`/v1/transfers?licenseId=${id}`)).body[0].metadataSync;
    for (let n = 0; n < 8; n++) {
      api.service.failNext('syncMetadata', 'before');
      await sync.syncDue();
      clock.advance(3_600_000);
      if (n < 7) expect(await stateOf()).toBe('pending');
    }
    expect(await stateOf()).toBe('failed');
    await sync.syncDue();
    expect(await stateOf()).toBe('synced');
  });

  it('takes the UTC day of an instant with an offset', async () => {
    const may = await aContract(api.app, from.partner.id);
    clock.set('2026-04-01T00:00:00.000Z');
    const { id } = await aLicense(from, { contractId: may.id });
    clock.set('2026-05-10T12:00:00.000Z');
    const { body } = await client.post('/v1/transfers', { ...wish(id), effectiveDate: '2026-05-01T01:30:00+02:00' });
    expect(body.effectiveDate).toBe('2026-04-30');
  });

  it.each(['yesterday', '2026-02-30T00:00:00Z', '2026-05-01T25:00:00Z', '', 'infinity', '2026-05-01 10:00:00Z'])(
    'refuses %j as an effective date before it looks anything up',
    async (effectiveDate) => {
      const answer = await client.post('/v1/transfers', { ...wish(UNKNOWN), effectiveDate });
      expect(answer.status).toBe(422);
      expect(answer.body.error.message).toContain('effectiveDate');
    },
  );

  it('names a malformed effective date beside what else is wrong', async () => {
    const answer = await client.post('/v1/transfers', { ...wish('L-1'), toPartnerId: 7, effectiveDate: 'yesterday' });
    expect(answer.status).toBe(422);
    for (const field of ['licenseId', 'toPartnerId', 'effectiveDate'])
      expect(answer.body.error.message).toContain(field);
  });

  it('refuses a day in the future, before the issue and before the last transfer', async () => {
    const { id } = await aLicense(from);
    const at = (effectiveDate: string, target = to) => reasonOf({ ...wish(id, target), effectiveDate });
    expect(await at('2026-05-11T00:00:00Z')).toEqual([422, 'effective-date-in-future']);
    expect(await at('2026-05-09T23:59:59Z')).toEqual([422, 'effective-date-before-issue']);
    clock.set('2026-05-20T00:00:00.000Z');
    expect(await at('2026-05-15T00:00:00Z')).toEqual([201, null]);
    expect(await at('2026-05-14T00:00:00Z', from)).toEqual([422, 'effective-date-before-last-transfer']);
    expect(await at('2026-05-15T00:00:00Z', from)).toEqual([201, null]);
  });

  it('takes effect today at the earliest inside one partner and on a contract that does not bill', async () => {
    const { id } = await aLicense(from);
    const own = (await aContract(api.app, from.partner.id)).id;
    const free = (await aContract(api.app, to.partner.id, { model: 'not_for_resale' })).id;
    const pack = (await aContract(api.app, to.partner.id, { model: 'prepaid_pack', packSize: 3 })).id;
    const flat = (await aContract(api.app, to.partner.id, { model: 'flat_unlimited' })).id;
    clock.set('2026-05-20T00:00:00.000Z');
    const at = (effectiveDate: string, target: Seller, toContractId: string) =>
      reasonOf({ ...wish(id, target), toContractId, effectiveDate });
    for (const [target, contract] of [
      [from, own],
      [to, free],
      [to, pack],
    ] as const)
      // prettier-ignore
      expect(await at('2026-05-19T23:59:59Z', target, contract)).toEqual([422, 'effective-date-in-past']);
    expect(await at('2026-05-18T00:00:00Z', to, flat)).toEqual([201, null]);
    // By a detour over another partner neither.
    expect(await at('2026-05-18T00:00:00Z', from, own)).toEqual([422, 'effective-date-in-past']);
    expect(await at('2026-05-18T00:00:00Z', from, from.contractId)).toEqual([201, null]);
    expect(await at('2026-05-20T00:00:00Z', from, own)).toEqual([201, null]);
  });

  it('gives the effective day to the new owner, and a day to the transfer recorded last', async () => {
    const { id } = await aLicense(from);
    clock.set('2026-05-20T10:00:00.000Z');
    await client.post('/v1/transfers', { ...wish(id), effectiveDate: '2026-05-15T00:00:00Z' });
    expect(await spansOf(id)).toEqual(['from [2026-05-10,2026-05-15)', 'to [2026-05-15,)']);
    await client.post('/v1/transfers', { ...wish(id, from), effectiveDate: '2026-05-15T08:00:00Z' });
    expect(await spansOf(id)).toEqual(['from [2026-05-10,2026-05-15)', 'from [2026-05-15,)']);
    await client.post(`/v1/licenses/${id}/terminate`);
    expect(await spansOf(id)).toEqual(['from [2026-05-10,2026-05-15)', 'from [2026-05-15,2026-05-21)']);
  });

  it('leaves nothing to the first owner when the license moves on its day of issue', async () => {
    const { id } = await aLicense(from);
    await client.post('/v1/transfers', wish(id));
    expect(await spansOf(id)).toEqual(['to [2026-05-10,)']);
  });

  it('allows another contract or customer of the same partner and refuses the same owner', async () => {
    const { id } = await aLicense(from);
    expect(await reasonOf(wish(id, from))).toEqual([409, 'transfer-same-owner']);
    const other = await aContract(api.app, from.partner.id);
    expect(await reasonOf({ ...wish(id, from), toContractId: other.id })).toEqual([201, null]);
    const customer = await aCustomer(api.app, from.partner.id);
    const moved = { ...wish(id, from), toContractId: other.id, toCustomerId: customer.id };
    expect(await reasonOf(moved)).toEqual([201, null]);
  });

  it('refuses a customer or contract that is not of the new partner', async () => {
    const { id } = await aLicense(from);
    const mismatch = [422, 'contract-partner-mismatch'];
    expect(await reasonOf({ ...wish(id), toContractId: from.contractId })).toEqual(mismatch);
    expect(await reasonOf({ ...wish(id), toCustomerId: from.customerId })).toEqual(mismatch);
    expect(await reasonOf({ ...wish(id), toPartnerId: parent.id })).toEqual(mismatch);
  });

  it('answers 404 for each id that is missing or outside the subtree, alike', async () => {
    const { id } = await aLicense(from);
    const stranger = await aSeller(api);
    const foreign = await aLicense(stranger);
    const bodies = [
      { ...wish(UNKNOWN) },
      { ...wish(foreign.id) },
      { ...wish(id), toPartnerId: UNKNOWN },
      { ...wish(id), toPartnerId: stranger.partner.id },
      { ...wish(id), toCustomerId: UNKNOWN },
      { ...wish(id), toCustomerId: stranger.customerId },
      { ...wish(id), toContractId: UNKNOWN },
      { ...wish(id), toContractId: stranger.contractId },
    ];
    const answers = await Promise.all(bodies.map((body) => client.post('/v1/transfers', body)));
    for (const answer of answers) expect([answer.status, answer.text]).toEqual([404, answers[0]!.text]);
    // The present owner must lie in the subtree of the caller, not only the new one.
    expect((await to.client.post('/v1/transfers', wish(id))).status).toBe(404);
  });

  it('keeps a suspended license suspended and refuses a terminated one', async () => {
    const { id } = await aLicense(from);
    await client.post(`/v1/licenses/${id}/suspend`);
    expect(await reasonOf(wish(id))).toEqual([201, null]);
    expect((await client.get(`/v1/licenses/${id}`)).body.state).toBe('suspended');
    await client.post(`/v1/licenses/${id}/terminate`);
    expect(await reasonOf(wish(id, from))).toEqual([409, 'license-terminated']);
  });

  it('makes a trial active on a contract that is paid for, also when it is resumed later', async () => {
    const trial = await aContract(api.app, from.partner.id, {
      model: 'trial',
      unitPriceCents: 0,
      validTo: '2026-05-20',
    });
    const running = await aLicense(from, { contractId: trial.id });
    await client.post('/v1/transfers', wish(running.id));
    expect((await client.get(`/v1/licenses/${running.id}`)).body.state).toBe('active');
    const paused = await aLicense(from, { contractId: trial.id });
    await client.post(`/v1/licenses/${paused.id}/suspend`);
    await client.post('/v1/transfers', wish(paused.id));
    expect((await client.post(`/v1/licenses/${paused.id}/resume`)).body.state).toBe('active');
    await api.app.get(UpstreamSync, { strict: false }).syncDue();
    expect(api.service.records.get(running.upstreamLicenseId as never)?.expiresAt).toBeNull();
    const { body } = await client.get(`/v1/customers/${to.customerId}/activity`);
    const events = body.filter((event: any) => event.licenseId === running.id).map((event: any) => event.event);
    expect(events).toEqual(['license.trial_converted', 'license.transferred_in']);
  });

  it('lets an expired trial move and stay expired', async () => {
    const trial = await aContract(api.app, from.partner.id, {
      model: 'trial',
      unitPriceCents: 0,
      validTo: '2026-05-12',
    });
    const { id } = await aLicense(from, { contractId: trial.id });
    clock.set('2026-05-13T00:00:00.000Z');
    expect(await reasonOf(wish(id))).toEqual([201, null]);
    expect((await client.get(`/v1/licenses/${id}`)).body.state).toBe('expired');
  });

  it('holds cap, pack, validity and editions of the new contract', async () => {
    const full = await aContract(api.app, to.partner.id, { model: 'flat_capped', licenseCap: 1 });
    const pack = await aContract(api.app, to.partner.id, { model: 'prepaid_pack', packSize: 1 });
    const ended = await aContract(api.app, to.partner.id, { validTo: '2026-05-09' });
    const other = await aContract(api.app, to.partner.id, { editions: ['web-pro'] });
    const licenses = [await aLicense(from), await aLicense(from)];
    const onto = (n: number, toContractId: string) => reasonOf({ ...wish(licenses[n]!.id), toContractId });
    expect(await onto(0, ended.id)).toEqual([409, 'contract-not-valid']);
    expect(await onto(0, other.id)).toEqual([422, 'edition-not-in-contract']);
    expect(await onto(0, full.id)).toEqual([201, null]);
    expect(await onto(1, full.id)).toEqual([409, 'contract-cap-reached']);
    expect(await onto(0, pack.id)).toEqual([201, null]);
    expect(await onto(1, pack.id)).toEqual([409, 'pack-exhausted']);
    expect(await onto(0, to.contractId)).toEqual([201, null]);
    // It has drawn its slot already and draws no second one.
    expect(await onto(0, pack.id)).toEqual([201, null]);
  });

  it('shows either end its own ids and hides the other end', async () => {
    const { id } = await aLicense(from);
    await client.post('/v1/transfers', wish(id));
    const [seen] = (await from.client.get(`/v1/transfers?licenseId=${id}`)).body;
    expect(seen).toMatchObject({ fromCustomerId: from.customerId, toCustomerId: null, toContractId: null });
    expect(seen.toPartnerId).toBe(to.partner.id);
    const [mirrored] = (await to.client.get(`/v1/transfers?licenseId=${id}`)).body;
    expect(mirrored).toMatchObject({ toCustomerId: to.customerId, fromCustomerId: null, fromContractId: null });
    const stranger = await aPartner(api.app);
    expect((await api.as(stranger.readToken).get('/v1/transfers')).body).toEqual([]);
  });

  it('filters by direction and time and walks by key', async () => {
    const direction = async (seller: Seller, which: string) =>
      (await seller.client.get(`/v1/transfers?direction=${which}&limit=200`)).body;
    for (const transfer of await direction(from, 'out')) expect(transfer.fromPartnerId).toBe(from.partner.id);
    for (const transfer of await direction(from, 'in')) expect(transfer.toPartnerId).toBe(from.partner.id);
    const all = (await client.get('/v1/transfers?limit=200')).body;
    const walked: string[] = [];
    for (let path: string | undefined = '/v1/transfers?limit=3'; path;) {
      const page: Awaited<ReturnType<HttpClient['get']>> = await client.get(path);
      walked.push(...page.body.map((transfer: any) => transfer.id));
      path = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(walked).toEqual(all.map((transfer: any) => transfer.id));
    const on = await client.get('/v1/transfers?from=2026-05-20&to=2026-05-20&limit=200');
    expect(on.body.length).toBeGreaterThan(0);
    for (const transfer of on.body) expect(transfer.createdAt.slice(0, 10)).toBe('2026-05-20');
    for (const query of ['licenseId=x', 'direction=up', 'from=x', 'after=x']) {
      expect((await client.get(`/v1/transfers?${query}`)).status).toBe(422);
    }
  });

  it('lets one of several parallel transfers of a day win and keeps one owner per day', async () => {
    const { id } = await aLicense(from);
    const targets = await Promise.all(Array.from({ length: 8 }, () => aSeller(api, { parentId: parent.id })));
    const answers = await Promise.all(targets.map((target) => client.post('/v1/transfers', wish(id, target))));
    for (const answer of answers) expect(answer.status).toBe(201);
    const owner = (await client.get(`/v1/licenses/${id}`)).body.contractId;
    expect(await spansOf(id)).toEqual([`${owner} [2026-05-10,)`]);
  });
});
