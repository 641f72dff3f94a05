import pg from 'pg';
import { aPartner, type PartnerWithTokens } from '../../../support/builders/a-partner.js';
import { aCustomer } from '../../../support/builders/a-customer.js';
import { aContract } from '../../../support/builders/a-world.js';
import type { HttpClient } from '../../../support/http/http-client.js';
import { startPartnerApi, type RunningPartnerApi } from '../../../support/partner-api.js';

describe('deleting a customer that has licenses', () => {
  let api: RunningPartnerApi;
  let partner: PartnerWithTokens;
  let client: HttpClient;
  let contractId: string;

  beforeAll(async () => {
    api = await startPartnerApi();
    partner = await aPartner(api.app);
    client = api.as(partner.writeToken);
    contractId = (await aContract(api.app, partner.id)).id;
  });

  afterAll(() => api.close());

  const issue = (customerId: string) =>
    client.post('/v1/licenses', { customerId, contractId, edition: 'web-host', externalBillingRef: '' });

  it('is refused while one is active or suspended, and allowed when all are terminated', async () => {
    const { id } = await aCustomer(api.app, partner.id);
    const licenses = [(await issue(id)).body.license.id, (await issue(id)).body.license.id] as string[];
    await client.post(`/v1/licenses/${licenses[0]}/terminate`);
    for (const step of ['active', 'suspended']) {
      const refused = await client.delete(`/v1/customers/${id}`);
      expect([step, refused.status, refused.headers.get('x-error-reason')]).toEqual([
        step,
        409,
        'customer-has-live-licenses',
      ]);
      expect(refused.body.error.code).toBe('conflict');
      await client.post(`/v1/licenses/${licenses[1]}/suspend`);
    }
    expect((await client.get(`/v1/customers/${id}`)).status).toBe(200);
    await client.post(`/v1/licenses/${licenses[1]}/terminate`);
    expect((await client.delete(`/v1/customers/${id}`)).status).toBe(204);
    expect((await client.get(`/v1/licenses/${licenses[1]}`)).status).toBe(200);
    expect((await issue(id)).status).toBe(404);
  });

  it('concurrently with an issue leaves no live license without its customer', async () => {
    for (let round = 0; round < 8; round++) {
      const { id } = await aCustomer(api.app, partner.id);
      const [issued, deleted] = await Promise.all([issue(id), client.delete(`/v1/customers/${id}`)]);
      const outcome = `${issued.status} ${deleted.status}`;
      expect(['201 409', '404 204']).toContain(outcome);
    }
    const database = new pg.Client({ connectionString: api.database.url });
    await database.connect();
    const { rows } = await database.query(
      `select l.id from licensing.licenses l join customers.customers c on c.id = l.customer_id
        where c.deleted_at is not null and l.state not in ('terminated', 'expired')`,
    );
    await database.end();
    expect(rows).toEqual([]);
  });
});
