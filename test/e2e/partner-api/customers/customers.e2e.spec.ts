import pg from 'pg';
import { aPartner, type PartnerWithTokens } from '../../../support/builders/a-partner.js';
import { FixedClock } from '../../../support/fixed-clock.js';
import type { HttpClient } from '../../../support/http/http-client.js';
import { startPartnerApi, type RunningPartnerApi } from '../../../support/partner-api.js';

const EMPTY = {
  externalRef: '',
  legalName: '',
  vatId: '',
  email: '',
  phone: '',
  billingStreet: '',
  billingPostalCode: '',
  billingCity: '',
  billingRegion: '',
  billingCountry: '',
  postalStreet: '',
  postalPostalCode: '',
  postalCity: '',
  postalRegion: '',
  postalCountry: '',
  website: '',
  ownerEmail: '',
};

const FULL = {
  externalRef: 'crm-1',
  name: 'Fabrikam',
  legalName: 'Fabrikam GmbH',
  vatId: 'DE1',
  email: 'office@fabrikam.example',
  phone: '+49 30 1',
  billingStreet: 'Street 1',
  billingPostalCode: '10969',
  billingCity: 'Berlin',
  billingRegion: 'BE',
  billingCountry: 'DE',
  postalStreet: 'Box 2',
  postalPostalCode: '75001',
  postalCity: 'Paris',
  postalRegion: 'IDF',
  postalCountry: 'FR',
  website: 'https://fabrikam.example/start?x=1',
  ownerEmail: 'owner@fabrikam.example',
  status: 'prospect',
};

describe('customers', () => {
  const clock = new FixedClock('2026-05-01T08:30:00.000Z');
  let api: RunningPartnerApi;
  let partner: PartnerWithTokens;
  let client: HttpClient;

  beforeAll(async () => {
    api = await startPartnerApi({ clock });
    partner = await aPartner(api.app);
    client = api.as(partner.writeToken);
  });

  afterAll(() => api.close());

  const create = async (body: object = {}) => (await client.post('/v1/customers', { name: 'Fabrikam', ...body })).body;

  it('are created for the caller, with empty values for omitted fields and the status active', async () => {
    const { status, body } = await client.post('/v1/customers', { name: 'Fabrikam' });
    expect(status).toBe(201);
    const { id, humanId, ...rest } = body;
    expect(humanId).toMatch(/^C-[1-9]\d*$/);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    const createdAt = '2026-05-01T08:30:00.000Z';
    expect(rest).toEqual({ ...EMPTY, name: 'Fabrikam', partnerId: partner.id, status: 'active', createdAt });
  });

  it('store every field as given', async () => {
    const created = await client.post('/v1/customers', FULL);
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject(FULL);
    expect((await client.get(`/v1/customers/${created.body.id}`)).body).toEqual(created.body);
  });

  it('get unique readable numbers', async () => {
    const [a, b] = [await create(), await create()];
    expect(a.humanId).not.toBe(b.humanId);
    expect(a.externalRef).toBe(b.externalRef);
  });

  it('change only the given fields', async () => {
    const before = (await client.post('/v1/customers', FULL)).body;
    const changed = await client.patch(`/v1/customers/${before.id}`, { name: ' New ', status: 'churned', vatId: '' });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({ ...before, name: 'New', status: 'churned', vatId: '' });
    expect((await client.get(`/v1/customers/${before.id}`)).body).toEqual(changed.body);
  });

  it('allow changes of every writable field', async () => {
    const { id } = await create();
    const { body } = await client.patch(`/v1/customers/${id}`, FULL);
    expect(body).toMatchObject(FULL);
    const emptied = await client.patch(`/v1/customers/${id}`, { ...EMPTY, status: 'suspended' });
    expect(emptied.body).toMatchObject({ ...EMPTY, status: 'suspended' });
  });

  it('accept an empty change', async () => {
    const before = await create();
    const { status, body } = await client.patch(`/v1/customers/${before.id}`, {});
    expect({ status, body }).toEqual({ status: 200, body: before });
  });

  it('silently ignore fields that the caller cannot write', async () => {
    const other = await aPartner(api.app, { parentId: partner.id });
    const foreign = { id: other.id, humanId: 'C-9999', createdAt: '2020-01-01T00:00:00Z', deletedAt: '2020-01-01' };
    const ignored = { ...foreign, notes: 'secret', author: 'me', number: 7, unknown: { deep: [] } };
    const created = await client.post('/v1/customers', { name: 'Fabrikam', ...ignored });
    expect(created.status).toBe(201);
    expect(created.body).not.toHaveProperty('notes');
    expect(created.body.id).not.toBe(other.id);
    const changed = await client.patch(`/v1/customers/${created.body.id}`, { ...ignored, partnerId: other.id });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual(created.body);
    expect((await client.get(`/v1/customers/${created.body.id}`)).body).toEqual(created.body);
  });

  it('are deleted once, and then do not exist for any route', async () => {
    const { id } = await create({ externalRef: 'gone' });
    const contact = (await client.post(`/v1/customers/${id}/contacts`, { lastName: 'A' })).body;
    const gone = await client.delete(`/v1/customers/${id}`);
    expect(gone.status).toBe(204);
    expect(gone.text).toBe('');
    const calls: [string, string, object?][] = [
      ['GET', ''],
      ['PATCH', '', { name: 'x' }],
      ['DELETE', ''],
      ['GET', '/contacts'],
      ['POST', '/contacts', { lastName: 'x' }],
      ['PATCH', `/contacts/${contact.id}`, { lastName: 'x' }],
      ['DELETE', `/contacts/${contact.id}`],
      ['GET', '/notes'],
      ['POST', '/notes', { body: 'x' }],
    ];
    for (const [method, path, body] of calls) {
      const answer = await client.call(method, `/v1/customers/${id}${path}`, { body });
      expect([method, path, answer.status]).toEqual([method, path, 404]);
    }
    expect((await client.get('/v1/customers?externalRef=gone')).body).toEqual([]);
    const all = (await client.get('/v1/customers?limit=200')).body as { id: string }[];
    expect(all.map((customer) => customer.id)).not.toContain(id);
  });

  it('stay in the database after a deletion, for history and billing', async () => {
    const { id } = await create();
    await client.delete(`/v1/customers/${id}`);
    const database = new pg.Client({ connectionString: api.database.url });
    await database.connect();
    const { rows } = await database.query('select deleted_at from customers.customers where id = $1', [id]);
    await database.end();
    expect(rows).toEqual([{ deleted_at: clock.now() }]);
  });

  it('refuse every write with a read token', async () => {
    const { id } = await create();
    const reader = api.as(partner.readToken);
    expect((await reader.get(`/v1/customers/${id}`)).status).toBe(200);
    const answers = [
      await reader.post('/v1/customers', { name: 'x' }),
      await reader.patch(`/v1/customers/${id}`, { name: 'x' }),
      await reader.delete(`/v1/customers/${id}`),
      await reader.post(`/v1/customers/${id}/contacts`, { lastName: 'x' }),
      await reader.post(`/v1/customers/${id}/notes`, { body: 'x' }),
    ];
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(answers.map(() => [403, 'forbidden']));
  });
});
