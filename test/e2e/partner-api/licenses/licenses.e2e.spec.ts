import { aLicense, aSeller, type Seller } from '../../../support/builders/a-license.js';
import { aContract, aCustomer } from '../../../support/builders/a-world.js';
import { aPartner } from '../../../support/builders/a-partner.js';
import { FixedClock } from '../../../support/fixed-clock.js';
import { startPartnerApi, type RunningPartnerApi } from '../../../support/partner-api.js';

const UNKNOWN = '11111111-2222-4333-8444-555555555555';

describe('issuing licenses', () => {
  const clock = new FixedClock('2026-05-10T12:00:00.000Z');
  let api: RunningPartnerApi;
  let seller: Seller;

  beforeAll(async () => {
    api = await startPartnerApi({ clock });
    seller = await aSeller(api);
  });

  afterAll(() => api.close());

  const issue = (body: object = {}, headers?: Record<string, string>) => {
    const { customerId, contractId, client } = seller;
    return client.post('/v1/licenses', { customerId, contractId, edition: 'web-host', ...body }, headers);
  };

  it('shows the key of a new license only in that response', async () => {
    const { status, body } = await issue({ externalBillingRef: 'o-1' });
    expect(status).toBe(201);
    const { license, key } = body;
    expect(license).toEqual({
      id: expect.any(String),
      humanId: expect.stringMatching(/^L-\d+$/),
      partnerId: seller.partner.id,
      customerId: seller.customerId,
      contractId: seller.contractId,
      upstreamLicenseId: expect.any(String),
      keyMasked: `…${key.slice(-6)}`,
      edition: 'web-host',
      state: 'active',
      externalBillingRef: 'o-1',
      metadata: '',
      issuedAt: '2026-05-10T12:00:00.000Z',
      terminatedAt: null,
    });
    const read = await api.as(seller.partner.readToken).get(`/v1/licenses/${license.id}`);
    expect(read.body).toEqual(license);
    const list = await api.as(seller.partner.readToken).get('/v1/licenses');
    expect(list.text).not.toContain(key);
    expect(api.logs()).not.toContain(key);
  });

  it('uses an empty billing reference by default, and ignores unknown fields', async () => {
    const { body } = await issue({ metadata: 'mine', state: 'terminated', keyMasked: 'x', policyId: UNKNOWN });
    expect(body.license).toMatchObject({ externalBillingRef: '', metadata: '', state: 'active' });
  });

  it('refuses an edition that is not on sale', async () => {
    const answer = await issue({ edition: 'enterprise' });
    expect(answer.status).toBe(422);
    expect(answer.headers.get('x-error-reason')).toBe('edition-unknown');
  });

  it('refuses an edition that the contract excludes', async () => {
    const { id } = await aContract(api.app, seller.partner.id, { editions: ['web-pro'] });
    const answer = await issue({ contractId: id });
    expect(answer.status).toBe(422);
    expect(answer.headers.get('x-error-reason')).toBe('edition-not-in-contract');
    expect((await issue({ contractId: id, edition: 'web-pro' })).status).toBe(201);
  });

  it('names every missing or invalid field', async () => {
    const answer = await seller.client.post('/v1/licenses', { customerId: 'x', edition: 7, externalBillingRef: null });
    expect(answer.status).toBe(422);
    for (const field of ['customerId', 'contractId', 'edition', 'externalBillingRef']) {
      expect(answer.body.error.message).toContain(field);
    }
  });

  it('names an edition that is not on sale together with other errors', async () => {
    const answer = await issue({ customerId: 'C-1', contractId: '', edition: 'enterprise' });
    expect([answer.status, answer.headers.get('x-error-reason')]).toEqual([422, 'validation']);
    for (const field of ['customerId', 'contractId', 'edition must be one of']) {
      expect(answer.body.error.message).toContain(field);
    }
    for (const edition of ['a\0', 'x'.repeat(101)]) {
      const { body } = await issue({ edition });
      expect(body.error.message).toMatch(/^edition must (not contain|have)[^;]*$/);
    }
  });

  it('answers 404 in the same way for a missing customer or contract and one outside the subtree', async () => {
    const stranger = await aSeller(api);
    const answers = [
      await issue({ customerId: UNKNOWN }),
      await issue({ customerId: stranger.customerId }),
      await issue({ contractId: UNKNOWN }),
      await issue({ contractId: stranger.contractId }),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.text]).toEqual([404, answers[0]!.text]);
    }
  });

  it('refuses a customer and a contract of different partners', async () => {
    const child = await aSeller(api, { parentId: seller.partner.id });
    const answer = await issue({ contractId: child.contractId });
    expect(answer.status).toBe(422);
    expect(answer.headers.get('x-error-reason')).toBe('contract-partner-mismatch');
  });

  it('issues for a partner further down on behalf of that partner', async () => {
    const child = await aSeller(api, { parentId: seller.partner.id });
    const { body } = await issue({ customerId: child.customerId, contractId: child.contractId });
    expect(body.license.partnerId).toBe(child.partner.id);
    expect((await child.client.get(`/v1/licenses/${body.license.id}`)).status).toBe(200);
  });

  it.each([
    ['that has not begun', { validFrom: '2026-05-11' }],
    ['that has ended', { validFrom: '2020-01-01', validTo: '2026-05-09' }],
  ])('refuses a contract %s', async (_case, terms) => {
    const { id } = await aContract(api.app, seller.partner.id, terms);
    const answer = await issue({ contractId: id });
    expect(answer.status).toBe(409);
    expect(answer.headers.get('x-error-reason')).toBe('contract-not-valid');
  });

  it('issues on the first and on the last day of a contract', async () => {
    const { id } = await aContract(api.app, seller.partner.id, { validFrom: '2026-05-10', validTo: '2026-05-10' });
    expect((await issue({ contractId: id })).status).toBe(201);
  });

  it('never exceeds a cap with concurrent requests, and a termination frees a place', async () => {
    const { id } = await aContract(api.app, seller.partner.id, { model: 'flat_capped', licenseCap: 3 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => issue({ contractId: id })));
    const issued = answers.filter(({ status }) => status === 201);
    expect(issued).toHaveLength(3);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect([answer.status, answer.headers.get('x-error-reason')]).toEqual([409, 'contract-cap-reached']);
    }
    await seller.client.post(`/v1/licenses/${issued[0]!.body.license.id}/terminate`);
    expect((await issue({ contractId: id })).status).toBe(201);
    expect((await issue({ contractId: id })).status).toBe(409);
  });

  it('never draws more than a pack holds with concurrent requests, and returns no slot', async () => {
    const { id } = await aContract(api.app, seller.partner.id, { model: 'prepaid_pack', packSize: 2 });
    const answers = await Promise.all(Array.from({ length: 8 }, () => issue({ contractId: id })));
    const issued = answers.filter(({ status }) => status === 201);
    expect(issued).toHaveLength(2);
    await seller.client.post(`/v1/licenses/${issued[0]!.body.license.id}/terminate`);
    const answer = await issue({ contractId: id });
    expect([answer.status, answer.headers.get('x-error-reason')]).toEqual([409, 'pack-exhausted']);
  });

  it('refuses a read token before it checks the request', async () => {
    const answer = await api.as(seller.partner.readToken).post('/v1/licenses', {});
    expect(answer.status).toBe(403);
  });

  it('returns the same license and key to a repeat with the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'order-77' };
    const first = await issue({}, headers);
    const again = await issue({}, headers);
    expect(again.status).toBe(201);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = await issue({ edition: 'web-pro' }, headers);
    expect([other.status, other.headers.get('x-error-reason')]).toEqual([422, 'idempotency-key-reused']);
  });

  it('issues once for several parallel requests with the same Idempotency-Key', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => issue({}, { 'idempotency-key': 'order-78' })));
    const ids = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.license.id));
    expect(ids.size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect([answer.status, answer.headers.get('x-error-reason')]).toEqual([409, 'idempotency-key-in-progress']);
    }
  });

  it('refuses to delete a customer with a live license, and issues nothing for a deleted one', async () => {
    const { id: customerId } = await aCustomer(api.app, seller.partner.id);
    const license = await aLicense(seller, { customerId });
    const refused = await seller.client.delete(`/v1/customers/${customerId}`);
    expect([refused.status, refused.headers.get('x-error-reason')]).toEqual([409, 'customer-has-live-licenses']);
    await seller.client.post(`/v1/licenses/${license.id}/terminate`);
    expect((await seller.client.delete(`/v1/customers/${customerId}`)).status).toBe(204);
    expect((await issue({ customerId })).status).toBe(404);
    expect((await seller.client.get(`/v1/licenses/${license.id}`)).body.customerId).toBe(customerId);
  });

  it('leaves no license without its customer if the customer is deleted concurrently', async () => {
    for (let round = 0; round < 10; round++) {
      const { id: customerId } = await aCustomer(api.app, seller.partner.id);
      const [issued, deleted] = await Promise.all([
        issue({ customerId }),
        seller.client.delete(`/v1/customers/${customerId}`),
      ]);
      const outcome = `${issued.status} ${deleted.status}`;
      expect(['201 409', '404 204']).toContain(outcome);
    }
  });

  it('shows a license to every partner above its owner and to nobody else', async () => {
    const child = await aSeller(api, { parentId: seller.partner.id });
    const license = await aLicense(child);
    const stranger = await aPartner(api.app);
    const sibling = await aPartner(api.app, { parentId: seller.partner.id });
    expect((await seller.client.get(`/v1/licenses/${license.id}`)).status).toBe(200);
    const foreign = [stranger, sibling].map((partner) => api.as(partner.writeToken));
    const missing = await foreign[0]!.get(`/v1/licenses/${UNKNOWN}`);
    for (const client of foreign) {
      const answers = [
        await client.get(`/v1/licenses/${license.id}`),
        await client.get('/v1/licenses/no-uuid'),
        await client.post(`/v1/licenses/${license.id}/suspend`),
        await client.post(`/v1/licenses/${license.id}/resume`),
        await client.post(`/v1/licenses/${license.id}/terminate`),
        await client.post(`/v1/licenses/${license.id}/edition`, { edition: 'web-pro' }),
      ];
      for (const answer of answers) expect([answer.status, answer.text]).toEqual([404, missing.text]);
    }
    expect((await child.client.get(`/v1/licenses/${license.id}`)).body.state).toBe('active');
  });
});
