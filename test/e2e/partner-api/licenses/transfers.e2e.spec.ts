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

  const bodyFor = (licenseId: string, target: Seller = to) => transferTo(target, licenseId);

  const reasonOf = async (body: object) => {
    const answer = await client.post('/v1/transfers', body);
    return [answer.status, answer.headers.get('x-error-reason')];
  };

  it('change the commercial owner and keep the key', async () => {
    const before = await aLicense(from);
    const answer = await client.post('/v1/transfers', bodyFor(before.id));
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

  it('update the license service afterwards, and show that', async () => {
    const { id, upstreamLicenseId } = await aLicense(from);
    const { body } = await client.post('/v1/transfers', bodyFor(id));
    await api.app.get(UpstreamSync, { strict: false }).syncDue();
    const [listed] = (await client.get(`/v1/transfers?licenseId=${id}`)).body;
    expect(listed).toEqual({ ...body, metadataSync: 'synced' });
    const metadata = api.service.records.get(upstreamLicenseId as never)?.metadata;
    expect(metadata).toMatchObject({ partnerId: to.partner.id, customerId: to.customerId, sequence: 2 });
  });

  it('show a sync that keeps failing, and sync once the license service is back', async () => {
    const { id } = await aLicense(from);
    await client.post('/v1/transfers', bodyFor(id));
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

  it('may change only the contract or customer, but not keep the same owner', async () => {
    const { id } = await aLicense(from);
    expect(await reasonOf(bodyFor(id, from))).toEqual([409, 'transfer-same-owner']);
    const other = await aContract(api.app, from.partner.id);
    expect(await reasonOf({ ...bodyFor(id, from), toContractId: other.id })).toEqual([201, null]);
    const customer = await aCustomer(api.app, from.partner.id);
    const moved = { ...bodyFor(id, from), toContractId: other.id, toCustomerId: customer.id };
    expect(await reasonOf(moved)).toEqual([201, null]);
  });

  it('are refused for a customer or contract of another partner', async () => {
    const { id } = await aLicense(from);
    const mismatch = [422, 'contract-partner-mismatch'];
    expect(await reasonOf({ ...bodyFor(id), toContractId: from.contractId })).toEqual(mismatch);
    expect(await reasonOf({ ...bodyFor(id), toCustomerId: from.customerId })).toEqual(mismatch);
    expect(await reasonOf({ ...bodyFor(id), toPartnerId: parent.id })).toEqual(mismatch);
  });

  it('answer the same 404 for an id that is missing or outside the subtree', async () => {
    const { id } = await aLicense(from);
    const stranger = await aSeller(api);
    const foreign = await aLicense(stranger);
    const bodies = [
      { ...bodyFor(UNKNOWN) },
      { ...bodyFor(foreign.id) },
      { ...bodyFor(id), toPartnerId: UNKNOWN },
      { ...bodyFor(id), toPartnerId: stranger.partner.id },
      { ...bodyFor(id), toCustomerId: UNKNOWN },
      { ...bodyFor(id), toCustomerId: stranger.customerId },
      { ...bodyFor(id), toContractId: UNKNOWN },
      { ...bodyFor(id), toContractId: stranger.contractId },
    ];
    const answers = await Promise.all(bodies.map((body) => client.post('/v1/transfers', body)));
    for (const answer of answers) expect([answer.status, answer.text]).toEqual([404, answers[0]!.text]);
    // The current owner must be in the subtree of the caller, not only the new one.
    expect((await to.client.post('/v1/transfers', bodyFor(id))).status).toBe(404);
  });

  it('keep a suspended license suspended, and are refused for a terminated one', async () => {
    const { id } = await aLicense(from);
    await client.post(`/v1/licenses/${id}/suspend`);
    expect(await reasonOf(bodyFor(id))).toEqual([201, null]);
    expect((await client.get(`/v1/licenses/${id}`)).body.state).toBe('suspended');
    await client.post(`/v1/licenses/${id}/terminate`);
    expect(await reasonOf(bodyFor(id, from))).toEqual([409, 'license-terminated']);
  });

  it('make a trial active on a paid contract, even if it is resumed later', async () => {
    const trial = await aContract(api.app, from.partner.id, {
      model: 'trial',
      unitPriceCents: 0,
      validTo: '2026-05-20',
    });
    const running = await aLicense(from, { contractId: trial.id });
    await client.post('/v1/transfers', bodyFor(running.id));
    expect((await client.get(`/v1/licenses/${running.id}`)).body.state).toBe('active');
    const paused = await aLicense(from, { contractId: trial.id });
    await client.post(`/v1/licenses/${paused.id}/suspend`);
    await client.post('/v1/transfers', bodyFor(paused.id));
    expect((await client.post(`/v1/licenses/${paused.id}/resume`)).body.state).toBe('active');
    await api.app.get(UpstreamSync, { strict: false }).syncDue();
    expect(api.service.records.get(running.upstreamLicenseId as never)?.expiresAt).toBeNull();
    const { body } = await client.get(`/v1/customers/${to.customerId}/activity`);
    const events = body.filter((event: any) => event.licenseId === running.id).map((event: any) => event.event);
    expect(events).toEqual(['license.trial_converted', 'license.transferred_in']);
  });

  it('keep an expired trial expired', async () => {
    const trial = await aContract(api.app, from.partner.id, {
      model: 'trial',
      unitPriceCents: 0,
      validTo: '2026-05-12',
    });
    const { id } = await aLicense(from, { contractId: trial.id });
    clock.set('2026-05-13T00:00:00.000Z');
    expect(await reasonOf(bodyFor(id))).toEqual([201, null]);
    expect((await client.get(`/v1/licenses/${id}`)).body.state).toBe('expired');
  });

  it('respect cap, pack, validity and editions of the new contract', async () => {
    const full = await aContract(api.app, to.partner.id, { model: 'flat_capped', licenseCap: 1 });
    const pack = await aContract(api.app, to.partner.id, { model: 'prepaid_pack', packSize: 1 });
    const ended = await aContract(api.app, to.partner.id, { validTo: '2026-05-09' });
    const other = await aContract(api.app, to.partner.id, { editions: ['web-pro'] });
    const licenses = [await aLicense(from), await aLicense(from)];
    const onto = (n: number, toContractId: string) => reasonOf({ ...bodyFor(licenses[n]!.id), toContractId });
    expect(await onto(0, ended.id)).toEqual([409, 'contract-not-valid']);
    expect(await onto(0, other.id)).toEqual([422, 'edition-not-in-contract']);
    expect(await onto(0, full.id)).toEqual([201, null]);
    expect(await onto(1, full.id)).toEqual([409, 'contract-cap-reached']);
    expect(await onto(0, pack.id)).toEqual([201, null]);
    expect(await onto(1, pack.id)).toEqual([409, 'pack-exhausted']);
    expect(await onto(0, to.contractId)).toEqual([201, null]);
    // It has already drawn a slot and does not draw a second one.
    expect(await onto(0, pack.id)).toEqual([201, null]);
  });

  it('show each end its own ids and hide those of the other end', async () => {
    const { id } = await aLicense(from);
    await client.post('/v1/transfers', bodyFor(id));
    const [seen] = (await from.client.get(`/v1/transfers?licenseId=${id}`)).body;
    expect(seen).toMatchObject({ fromCustomerId: from.customerId, toCustomerId: null, toContractId: null });
    expect(seen.toPartnerId).toBe(to.partner.id);
    const [mirrored] = (await to.client.get(`/v1/transfers?licenseId=${id}`)).body;
    expect(mirrored).toMatchObject({ toCustomerId: to.customerId, fromCustomerId: null, fromContractId: null });
    const stranger = await aPartner(api.app);
    expect((await api.as(stranger.readToken).get('/v1/transfers')).body).toEqual([]);
  });

  it('can be filtered by direction and time, and paged by key', async () => {
    const { id } = await aLicense(from);
    clock.set('2026-05-20T10:00:00.000Z');
    await client.post('/v1/transfers', bodyFor(id));
    await client.post('/v1/transfers', bodyFor(id, from));
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
});
