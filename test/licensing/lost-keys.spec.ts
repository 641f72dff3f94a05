import { LicenseReconciliation } from '#libs/licensing';
import { aLicense, aSeller, type Seller } from '../support/builders/a-license.js';
import { startLicensingApi, type LicensingApi } from '../support/licensing/licensing-api.js';
import { expectOneTruth } from '../support/licensing/one-truth.js';

describe('a key that does not reach the caller', () => {
  let api: LicensingApi;
  let seller: Seller;

  beforeAll(async () => {
    api = await startLicensingApi();
    seller = await aSeller(api);
  });

  afterAll(() => api.close());

  const reconcile = () => api.app.get(LicenseReconciliation, { strict: false }).reconcile();

  const issue = (headers?: Record<string, string>) => {
    const { customerId, contractId, client } = seller;
    return client.post('/v1/licenses', { customerId, contractId, edition: 'web-host' }, headers);
  };

  const handovers = () =>
    api.sql<{ license_id: string; process: number | null }>('select * from licensing.key_handovers');
  const newest = async () => (await seller.client.get('/v1/licenses?limit=1')).body[0];

  async function until(met: () => Promise<boolean>): Promise<void> {
    for (let n = 0; n < 1_000 && !(await met()); n++) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await met()).toBe(true);
  }

  async function expectEnded(id: string): Promise<void> {
    expect((await seller.client.get(`/v1/licenses/${id}`)).body.state).toBe('terminated');
    expect(await handovers()).toEqual([]);
    await expectOneTruth(api);
  }

  it('is watched only until its response is on the network', async () => {
    const { id } = await aLicense(seller);
    await until(async () => (await handovers()).length === 0);
    await reconcile();
    expect((await seller.client.get(`/v1/licenses/${id}`)).body.state).toBe('active');
  });

  it('terminates its license if the caller disconnected before the response', async () => {
    const release = api.service.hold();
    const { length } = api.service.calls;
    const { customerId, contractId, partner } = seller;
    const gone = new AbortController();
    const answer = fetch(`${api.url}/v1/licenses`, {
      method: 'POST',
      body: JSON.stringify({ customerId, contractId, edition: 'web-host', externalBillingRef: 'gone' }),
      headers: { authorization: `Bearer ${partner.writeToken}`, 'content-type': 'application/json' },
      signal: gone.signal,
    });
    await until(() => Promise.resolve(api.service.calls.length > length));
    gone.abort();
    await expect(answer).rejects.toThrow();
    release();
    await until(async () => (await handovers())[0]?.process === null);
    const id = (await handovers())[0]!.license_id;
    await reconcile();
    await expectEnded(id);
  });

  it('terminates its license if a live process failed to respond, once no response can still arrive', async () => {
    api.failPoints.breakAt = 'issue: committed';
    expect((await issue()).status).toBe(500);
    const { id } = await newest();
    await reconcile();
    expect((await seller.client.get(`/v1/licenses/${id}`)).body.state).toBe('active');
    await api.sql(`update licensing.key_handovers set issued_at = issued_at - interval '6 minutes'`);
    await reconcile();
    await expectEnded(id);
  });

  it('leaves the license alone while a repeat with its Idempotency-Key is possible, and no longer', async () => {
    api.failPoints.breakAt = 'issue: committed';
    expect((await issue({ 'idempotency-key': 'comes back never' })).status).toBe(500);
    const { id } = await newest();
    await api.sql(`update licensing.key_handovers set issued_at = issued_at - interval '6 minutes'`);
    await reconcile();
    expect((await seller.client.get(`/v1/licenses/${id}`)).body.state).toBe('active');
    const waits = await api.sql<{ hours: number }>(
      `select round(extract(epoch from repeatable_until - now()) / 3600)::int as hours from licensing.key_handovers`,
    );
    expect(waits).toEqual([{ hours: 24 }]);
    await api.sql(
      `update platform.idempotent_answers set expires_at = expires_at - interval '25 hours' where status is null`,
    );
    await api.sql(`update licensing.key_handovers set repeatable_until = repeatable_until - interval '25 hours'`);
    await reconcile();
    await expectEnded(id);
  });

  it('leaves a license alone whose response is stored for a repeat', async () => {
    const headers = { 'idempotency-key': 'kept' };
    const { body } = await issue(headers);
    await until(async () => (await handovers()).length === 0);
    await api.sql(`insert into licensing.key_handovers (license_id, issued_at) values ($1, now())`, [body.license.id]);
    await reconcile();
    expect(await handovers()).toEqual([]);
    const repeat = await issue(headers);
    expect([repeat.headers.get('idempotent-replayed'), repeat.body]).toEqual(['true', body]);
    expect(repeat.body.license.state).toBe('active');
    expect((await seller.client.get(`/v1/licenses/${body.license.id}`)).body.state).toBe('active');
  });

  it('leaves a license alone that was changed since', async () => {
    const { id } = await aLicense(seller);
    await seller.client.post(`/v1/licenses/${id}/suspend`);
    await until(async () => (await handovers()).length === 0);
    await api.sql(`insert into licensing.key_handovers (license_id, issued_at) values ($1, now())`, [id]);
    await reconcile();
    expect(await handovers()).toEqual([]);
    expect((await seller.client.get(`/v1/licenses/${id}`)).body.state).toBe('suspended');
  });
});
