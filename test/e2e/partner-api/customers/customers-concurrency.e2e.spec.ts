import { aCustomer } from '../../../support/builders/a-customer.js';
import { aPartner, type PartnerWithTokens } from '../../../support/builders/a-partner.js';
import type { HttpClient } from '../../../support/http/http-client.js';
import { startPartnerApi, type RunningPartnerApi } from '../../../support/partner-api.js';

const times = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('customers under concurrent calls', () => {
  let api: RunningPartnerApi;
  let second: RunningPartnerApi;
  let partner: PartnerWithTokens;
  let clients: HttpClient[];

  beforeAll(async () => {
    api = await startPartnerApi();
    second = await startPartnerApi({ database: api.database });
    partner = await aPartner(api.app);
    clients = [api.as(partner.writeToken), second.as(partner.writeToken)];
  });

  afterAll(async () => {
    await second.close();
    await api.close();
  });

  const client = (index: number) => clients[index % 2]!;

  it('have one primary contact after several are made primary at the same time', async () => {
    const { id } = await aCustomer(api.app, partner.id);
    const path = `/v1/customers/${id}/contacts`;
    const existing = await Promise.all(times(6).map((n) => client(n).post(path, { lastName: `old ${n}` })));
    const answers = await Promise.all([
      ...times(10).map((n) => client(n).post(path, { lastName: `new ${n}`, isPrimary: true })),
      ...existing.map(({ body }, n) => client(n).patch(`${path}/${body.id}`, { isPrimary: true })),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([...times(10).map(() => 201), ...existing.map(() => 200)]);
    const contacts = (await client(0).get(path)).body as { isPrimary: boolean }[];
    expect(contacts.map(({ isPrimary }) => isPrimary)).toEqual([true, ...times(15).map(() => false)]);
  });

  it('that are deleted concurrently neither lose nor gain a contact', async () => {
    const { id } = await aCustomer(api.app, partner.id);
    const path = `/v1/customers/${id}`;
    const answers = await Promise.all([
      ...times(8).map((n) => client(n).post(`${path}/contacts`, { lastName: 'A', isPrimary: true })),
      client(1).delete(path),
      ...times(8).map((n) => client(n).post(`${path}/notes`, { body: 'x' })),
      client(0).delete(path),
    ]);
    const deletions = [answers[8]!, answers[17]!].map(({ status }) => status).sort();
    expect(deletions).toEqual([204, 404]);
    for (const { status } of answers) expect([201, 204, 404]).toContain(status);
    expect((await client(0).post(`${path}/contacts`, { lastName: 'late' })).status).toBe(404);
  });

  it('keep both of two concurrent changes of different fields', async () => {
    const { id } = await aCustomer(api.app, partner.id);
    await Promise.all(
      ['phone', 'vatId', 'legalName', 'billingCity', 'website', 'status'].map((field, n) =>
        client(n).patch(`/v1/customers/${id}`, { [field]: field === 'status' ? 'churned' : 'a.example' }),
      ),
    );
    const { body } = await client(0).get(`/v1/customers/${id}`);
    expect(body).toMatchObject({
      phone: 'a.example',
      vatId: 'a.example',
      legalName: 'a.example',
      billingCity: 'a.example',
      website: 'a.example',
      status: 'churned',
    });
  });

  it('never share a readable number', async () => {
    const made = await Promise.all(times(40).map((n) => client(n).post('/v1/customers', { name: `n ${n}` })));
    expect(new Set(made.map(({ body }) => body.humanId)).size).toBe(40);
  });

  it('are created once per Idempotency-Key, like contacts and notes', async () => {
    const { id } = await aCustomer(api.app, partner.id);
    for (const [path, body] of [
      ['/v1/customers', { name: 'Once', externalRef: 'once' }],
      [`/v1/customers/${id}/contacts`, { lastName: 'Once', isPrimary: true }],
      [`/v1/customers/${id}/notes`, { body: 'once' }],
    ] as const) {
      const headers = { 'idempotency-key': `key of ${path}` };
      const answers = await Promise.all(times(8).map((n) => client(n).post(path, body, headers)));
      const made = answers.filter(({ status }) => status === 201);
      expect(new Set(made.map(({ text }) => text)).size).toBe(1);
      for (const { status, headers: got } of answers.filter((answer) => !made.includes(answer))) {
        expect([status, got.get('x-error-reason')]).toEqual([409, 'idempotency-key-in-progress']);
      }
      const again = await client(1).post(path, body, headers);
      expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([
        201,
        made[0]?.text,
        'true',
      ]);
      const other = await client(0).post(path, { ...body, phone: 'x' }, headers);
      expect([other.status, other.headers.get('x-error-reason')]).toEqual([422, 'idempotency-key-reused']);
    }
    expect((await client(0).get('/v1/customers?externalRef=once')).body).toHaveLength(1);
    expect((await client(0).get(`/v1/customers/${id}/contacts`)).body).toHaveLength(1);
    expect((await client(0).get(`/v1/customers/${id}/notes`)).body).toHaveLength(1);
  });
});
