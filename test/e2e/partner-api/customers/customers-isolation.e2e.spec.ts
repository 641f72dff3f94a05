import { aCustomer } from '../../../support/builders/a-customer.js';
import { aPartner, type PartnerWithTokens } from '../../../support/builders/a-partner.js';
import type { Answer } from '../../../support/http/http-client.js';
import { startPartnerApi, type RunningPartnerApi } from '../../../support/partner-api.js';

const MISSING = '7d3b1c3e-6a0f-4b5e-9a59-0d7a5a9f4f3c';
const MALFORMED = [
  'x',
  'C-1',
  '%00',
  '{7d3b1c3e-6a0f-4b5e-9a59-0d7a5a9f4f3c}',
  '7d3b1c3e6a0f4b5e9a590d7a5a9f4f3c',
  '%F0%9F%92%A9',
];

/** Headers that differ between equal responses. */
const VOLATILE = ['x-request-id', 'date', 'x-ratelimit-reset', 'x-ratelimit-remaining'];

function visible({ status, headers, text }: Answer) {
  const kept = [...headers].filter(([name]) => !VOLATILE.some((volatile) => name.startsWith(volatile)));
  return { status, headers: Object.fromEntries(kept), text };
}

describe('customers of other partners', () => {
  let api: RunningPartnerApi;
  let top: PartnerWithTokens;
  let middle: PartnerWithTokens;
  let bottom: PartnerWithTokens;
  let sibling: PartnerWithTokens;
  const customers = new Map<PartnerWithTokens, { id: string; contactId: string }>();

  beforeAll(async () => {
    api = await startPartnerApi();
    top = await aPartner(api.app, { type: 'distributor' });
    middle = await aPartner(api.app, { parentId: top.id });
    bottom = await aPartner(api.app, { parentId: middle.id, type: 'hoster' });
    sibling = await aPartner(api.app, { parentId: top.id });
    for (const partner of [top, middle, bottom, sibling]) {
      const { id } = await aCustomer(api.app, partner.id);
      const contact = await api.as(partner.writeToken).post(`/v1/customers/${id}/contacts`, { lastName: 'A' });
      customers.set(partner, { id, contactId: contact.body.id });
    }
  });

  afterAll(() => api.close());

  const of = (partner: PartnerWithTokens) => customers.get(partner)!;
  const listed = async (partner: PartnerWithTokens) => {
    const { body } = await api.as(partner.readToken).get('/v1/customers');
    return new Set((body as { id: string }[]).map(({ id }) => id));
  };

  it('are listed if and only if they are in the subtree, down to the third level', async () => {
    const ids = (...partners: PartnerWithTokens[]) => new Set(partners.map((partner) => of(partner).id));
    expect(await listed(top)).toEqual(ids(top, middle, bottom, sibling));
    expect(await listed(middle)).toEqual(ids(middle, bottom));
    expect(await listed(bottom)).toEqual(ids(bottom));
    expect(await listed(sibling)).toEqual(ids(sibling));
  });

  it('below the caller can be read, changed and created, down to the third level', async () => {
    const client = api.as(top.writeToken);
    const { id, contactId } = of(bottom);
    expect((await client.get(`/v1/customers/${id}`)).body.partnerId).toBe(bottom.id);
    expect((await client.patch(`/v1/customers/${id}`, { phone: '1' })).status).toBe(200);
    expect((await client.patch(`/v1/customers/${id}/contacts/${contactId}`, { phone: '1' })).status).toBe(200);
    const made = await client.post('/v1/customers', { name: 'Given', partnerId: bottom.id });
    expect([made.status, made.body.partnerId]).toEqual([201, bottom.id]);
    expect(await listed(bottom)).toContain(made.body.id);
    expect((await api.as(bottom.writeToken).delete(`/v1/customers/${made.body.id}`)).status).toBe(204);
  });

  it.each<[string, string, object | undefined]>([
    ['GET', '/v1/customers/{id}', undefined],
    ['PATCH', '/v1/customers/{id}', { name: 'taken' }],
    ['DELETE', '/v1/customers/{id}', undefined],
    ['GET', '/v1/customers/{id}/contacts', undefined],
    ['POST', '/v1/customers/{id}/contacts', { lastName: 'taken', isPrimary: true }],
    ['PATCH', '/v1/customers/{id}/contacts/{contactId}', { lastName: 'taken' }],
    ['DELETE', '/v1/customers/{id}/contacts/{contactId}', undefined],
    ['GET', '/v1/customers/{id}/notes', undefined],
    ['POST', '/v1/customers/{id}/notes', { body: 'taken' }],
  ])('%s %s gives the same answer for a foreign, a missing and a malformed id', async (method, path, body) => {
    const client = api.as(middle.writeToken);
    const call = async (id: string, contactId: string) =>
      visible(await client.call(method, path.replace('{id}', id).replace('{contactId}', contactId), { body }));
    const expected = await call(MISSING, MISSING);
    expect(expected.status).toBe(404);
    expect(JSON.parse(expected.text)).toEqual({
      error: { code: 'not-found', message: 'The resource does not exist.' },
    });
    for (const partner of [top, sibling]) {
      const { id, contactId } = of(partner);
      expect(await call(id, contactId)).toEqual(expected);
      // An own customer in the path gives no access to a foreign contact.
      if (path.includes('{contactId}')) expect(await call(of(middle).id, contactId)).toEqual(expected);
    }
    for (const id of MALFORMED) expect(await call(id, id)).toEqual(expected);
  });

  it('cannot be created for a partner above, beside or unknown', async () => {
    const client = api.as(middle.writeToken);
    const answers = [];
    for (const partnerId of [MISSING, top.id, sibling.id]) {
      answers.push(visible(await client.post('/v1/customers', { name: 'x', partnerId })));
    }
    expect(answers[0]?.status).toBe(404);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await listed(sibling)).toEqual(new Set([of(sibling).id]));
  });

  it('are unchanged after all that', async () => {
    for (const partner of [top, sibling]) {
      const client = api.as(partner.readToken);
      const { id, contactId } = of(partner);
      expect((await client.get(`/v1/customers/${id}`)).body.name).not.toBe('taken');
      expect((await client.get(`/v1/customers/${id}/contacts`)).body).toEqual([
        expect.objectContaining({ id: contactId, lastName: 'A', isPrimary: false }),
      ]);
      expect((await client.get(`/v1/customers/${id}/notes`)).body).toEqual([]);
    }
  });

  it('are checked separately for each of many concurrent requests', async () => {
    const asked = [top, middle, bottom, sibling].flatMap((caller) =>
      [top, middle, bottom, sibling].map((owner) => ({ caller, owner })),
    );
    const answers = await Promise.all(
      asked.map(({ caller, owner }) => api.as(caller.readToken).get(`/v1/customers/${of(owner).id}`)),
    );
    const seen = asked.filter((_, index) => answers[index]?.status === 200).map(({ caller, owner }) => [caller, owner]);
    expect(seen).toEqual([
      ...[top, middle, bottom, sibling].map((owner) => [top, owner]),
      ...[middle, bottom].map((owner) => [middle, owner]),
      [bottom, bottom],
      [sibling, sibling],
    ]);
    answers.forEach(({ status, body }, index) => {
      const { owner } = asked[index]!;
      if (status === 200) expect(body.id).toBe(of(owner).id);
    });
  });
});
