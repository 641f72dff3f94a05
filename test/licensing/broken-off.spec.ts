import { Contracts } from '#libs/billing';
import { LicenseReconciliation } from '#libs/licensing';
import { BillingDate } from '#kernel/time/calendar-date';
import { aLicense, aSeller, type Seller } from '../support/builders/a-license.js';
import { aContract } from '../support/builders/a-world.js';
import { startLicensingApi, type LicensingApi } from '../support/licensing/licensing-api.js';
import { expectOneTruth } from '../support/licensing/one-truth.js';

describe('calls that are interrupted between two effects', () => {
  let api: LicensingApi;
  let seller: Seller;

  beforeAll(async () => {
    api = await startLicensingApi();
    seller = await aSeller(api);
  });

  afterAll(() => api.close());

  const reconcile = () => api.app.get(LicenseReconciliation, { strict: false }).reconcile();
  const call = (id: string, name: string, body?: object, headers?: Record<string, string>) =>
    seller.client.post(`/v1/licenses/${id}/${name}`, body, headers);

  const issue = (headers?: Record<string, string>) => {
    const { customerId, contractId, client } = seller;
    return client.post('/v1/licenses', { customerId, contractId, edition: 'web-host' }, headers);
  };

  const CHANGES = [
    ['suspend', undefined, 'license.suspended', { state: 'suspended' }],
    ['terminate', undefined, 'license.terminated', { state: 'terminated' }],
    ['edition', { edition: 'web-pro' }, 'license.edition_changed', { edition: 'web-pro' }],
  ] as const;
  const PLACES = ['announced', 'license service updated', 'committed'] as const;
  const CASES = CHANGES.flatMap((change) => PLACES.map((place) => [change[0], place, change] as const));

  it.each(CASES)(
    '%s, interrupted after "%s", is finished by the reconciler with one event',
    async (name, place, change) => {
      const [, body, event, after] = change;
      const { id } = await aLicense(seller);
      api.failPoints.breakAt = `${name}: ${place}`;
      expect((await call(id, name, body)).status).toBe(500);
      await reconcile();
      expect((await seller.client.get(`/v1/licenses/${id}`)).body).toMatchObject(after);
      const events = await api.sql('select 1 from licensing.ledger_events where license_id = $1 and event = $2', [
        id,
        event,
      ]);
      expect(events).toHaveLength(1);
      await expectOneTruth(api);
    },
  );

  it.each(CASES)('%s, interrupted after "%s", is done once if it is repeated', async (name, place, change) => {
    const [, body, event, after] = change;
    const { id } = await aLicense(seller);
    const headers = { 'idempotency-key': `${name} ${place}` };
    api.failPoints.breakAt = `${name}: ${place}`;
    expect((await call(id, name, body, headers)).status).toBe(500);
    const again = await call(id, name, body, headers);
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject(after);
    const events = await api.sql('select 1 from licensing.ledger_events where license_id = $1 and event = $2', [
      id,
      event,
    ]);
    expect(events).toHaveLength(1);
    await expectOneTruth(api);
  });

  it('a resume interrupted after its commit is not a conflict if it is repeated with its Idempotency-Key', async () => {
    const { id } = await aLicense(seller);
    await call(id, 'suspend');
    const headers = { 'idempotency-key': `resume ${id}` };
    api.failPoints.breakAt = 'resume: committed';
    expect((await call(id, 'resume', undefined, headers)).status).toBe(500);
    const again = await call(id, 'resume', undefined, headers);
    expect([again.status, again.body.state]).toEqual([200, 'active']);
    await expectOneTruth(api);
  });

  it.each(['issue: reserved', 'issue: key made'])(
    'an issue interrupted at "%s" leaves neither a license nor a key',
    async (place) => {
      const { length } = await api.sql('select 1 from licensing.licenses');
      api.failPoints.breakAt = place;
      expect((await issue()).status).toBe(500);
      await reconcile();
      expect(await api.sql('select 1 from licensing.licenses')).toHaveLength(length);
      await expectOneTruth(api);
    },
  );

  it.each(['issue: reserved', 'issue: key made', 'issue: committed'])(
    'an issue interrupted at "%s" gives one license with a usable key if it is repeated with its Idempotency-Key',
    async (place) => {
      const { length } = await api.sql('select 1 from licensing.licenses');
      const headers = { 'idempotency-key': place };
      api.failPoints.breakAt = place;
      expect((await issue(headers)).status).toBe(500);
      const again = await issue(headers);
      expect(again.status).toBe(201);
      expect(await api.sql('select 1 from licensing.licenses')).toHaveLength(length + 1);
      const record = api.service.records.get(again.body.license.upstreamLicenseId);
      expect(record?.key.reveal()).toBe(again.body.key);
      expect(again.body.license.keyMasked).toBe(`…${again.body.key.slice(-6)}`);
      const read = await seller.client.get(`/v1/licenses/${again.body.license.id}`);
      expect(read.body).toEqual(again.body.license);
      await expectOneTruth(api);
    },
  );

  it('an issue undone by the reconciler can still be repeated with its Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'undone' };
    api.failPoints.breakAt = 'issue: key made';
    expect((await issue(headers)).status).toBe(500);
    await reconcile();
    expect((await issue(headers)).status).toBe(201);
    await expectOneTruth(api);
  });

  it('a trial in issue while its contract gets another end is not issued with the old end', async () => {
    const contracts = api.app.get(Contracts, { strict: false });
    const { id: contractId } = await aContract(api.app, seller.partner.id, { model: 'trial', validTo: '2099-12-31' });
    const body = { customerId: seller.customerId, contractId, edition: 'web-host' };
    const headers = { 'idempotency-key': 'trial on its way' };
    const release = api.service.hold();
    const { length } = api.service.calls;
    const answer = seller.client.post('/v1/licenses', body, headers);
    while (api.service.calls.length === length) await new Promise((resolve) => setTimeout(resolve, 5));
    await contracts.end(contractId, BillingDate.parse('2099-06-30')!);
    release();
    expect((await answer).status).toBe(503);
    let again = await seller.client.post('/v1/licenses', body, headers);
    for (let n = 0; n < 20 && again.status === 503; n++)
      again = await seller.client.post('/v1/licenses', body, headers);
    expect([again.status, again.body.license.state]).toEqual([201, 'trial']);
    const ends = await api.sql('select expires_on::text from licensing.licenses where contract_id = $1', [contractId]);
    expect(ends).toEqual([{ expires_on: '2099-06-30' }]);
    const record = api.service.records.get(again.body.license.upstreamLicenseId);
    expect(record?.expiresAt).toEqual(new Date('2099-07-01T00:00:00Z'));
    await expectOneTruth(api);
  });

  it('an issue that the license service does not answer leaves nothing and uses none of the cap', async () => {
    const { id: contractId } = await aContract(api.app, seller.partner.id, { model: 'flat_capped', licenseCap: 1 });
    const body = { customerId: seller.customerId, contractId, edition: 'web-host' };
    for (const fault of ['before', 'after'] as const) {
      api.service.failNext('issue', fault);
      const answer = await seller.client.post('/v1/licenses', body);
      expect([answer.status, answer.body.error.code]).toEqual([503, 'internal-error']);
    }
    await expectOneTruth(api);
    expect((await seller.client.post('/v1/licenses', body)).status).toBe(201);
  });

  it.each(['before', 'after'] as const)(
    'a change whose connection the license service cut %s its effect is finished by the next call',
    async (fault) => {
      const { id } = await aLicense(seller);
      api.service.failNext('suspend', fault);
      expect((await call(id, 'suspend')).status).toBe(503);
      expect((await seller.client.get(`/v1/licenses/${id}`)).body.state).toBe('active');
      const resumed = await call(id, 'resume');
      expect([resumed.status, resumed.body.state]).toEqual([200, 'active']);
      await expectOneTruth(api);
      const events = await api.sql<{ event: string }>(
        'select event from licensing.ledger_events where license_id = $1 order by position',
        [id],
      );
      expect(events.map(({ event }) => event)).toEqual(['license.issued', 'license.suspended', 'license.resumed']);
    },
  );

  it('a transfer interrupted before its commit did not happen; one interrupted after it happened once', async () => {
    const other = await aContract(api.app, seller.partner.id);
    const { id } = await aLicense(seller);
    const { partner, customerId, client } = seller;
    const body = { licenseId: id, toPartnerId: partner.id, toCustomerId: customerId, toContractId: other.id };
    const headers = { 'idempotency-key': `transfer ${id}` };
    const contractOf = async () => (await client.get(`/v1/licenses/${id}`)).body.contractId;
    api.failPoints.breakAt = 'change: about to commit';
    expect((await client.post('/v1/transfers', body, headers)).status).toBe(500);
    expect(await contractOf()).toBe(seller.contractId);
    api.failPoints.breakAt = 'change: committed';
    expect((await client.post('/v1/transfers', body, headers)).status).toBe(500);
    expect(await contractOf()).toBe(other.id);
    const again = await client.post('/v1/transfers', body, headers);
    expect(again.status).toBe(201);
    expect((await client.get(`/v1/transfers?licenseId=${id}`)).body).toEqual([again.body]);
    await expectOneTruth(api);
  });
});
