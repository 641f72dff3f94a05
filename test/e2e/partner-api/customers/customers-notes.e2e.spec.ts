import { aCustomer } from '../../../support/builders/a-customer.js';
import { aPartner, type PartnerWithTokens } from '../../../support/builders/a-partner.js';
import { FixedClock } from '../../../support/fixed-clock.js';
import type { HttpClient } from '../../../support/http/http-client.js';
import { startPartnerApi, type RunningPartnerApi } from '../../../support/partner-api.js';

describe('notes on a customer', () => {
  const clock = new FixedClock('2026-05-01T08:30:00.000Z');
  let api: RunningPartnerApi;
  let parent: PartnerWithTokens;
  let partner: PartnerWithTokens;
  let client: HttpClient;
  let notes: string;
  let customerId: string;

  beforeAll(async () => {
    api = await startPartnerApi({ clock });
    parent = await aPartner(api.app);
    partner = await aPartner(api.app, { parentId: parent.id });
    client = api.as(partner.writeToken);
  });

  beforeEach(async () => {
    customerId = (await aCustomer(api.app, partner.id)).id;
    notes = `/v1/customers/${customerId}/notes`;
  });

  afterAll(() => api.close());

  it('get their author from the credentials, not from the body', async () => {
    const { status, body } = await client.post(notes, {
      body: ' called\n',
      author: 'somebody',
      id: 1,
      at: '2020-01-01',
    });
    expect(status).toBe(201);
    const at = clock.now().toISOString();
    expect(body).toEqual({ id: expect.any(Number), customerId, author: partner.id, body: ' called\n', at });
    expect((await client.get(notes)).body).toEqual([body]);
    const byParent = await api.as(parent.writeToken).post(notes, { body: 'from above' });
    expect(byParent.body.author).toBe(parent.id);
  });

  it.each([
    ['empty', ''],
    ['white space alone', ' \t\n\u00a0\u3000'],
    ['null', null],
    ['no string', 7],
    ['longer than 10,000 characters', 'x'.repeat(10_001)],
    ['holding a NUL', 'a\0b'],
    ['holding half a surrogate pair', 'a\udc00'],
  ])('refuse a body that is %s', async (_case, body) => {
    const answer = await client.post(notes, { body });
    expect([answer.status, answer.body.error.code]).toEqual([422, 'unprocessable-entity']);
    expect(answer.body.error.message).toContain('body');
  });

  it('refuse a request without a body and accept 10,000 characters', async () => {
    expect((await client.post(notes, {})).status).toBe(422);
    expect((await client.post(notes)).status).toBe(422);
    const long = await client.post(notes, { body: 'ü'.repeat(10_000) });
    expect([long.status, long.body.body.length]).toEqual([201, 10_000]);
  });

  it('are listed newest first, always the newest 50', async () => {
    for (let n = 1; n <= 53; n++) {
      if (n % 3 === 0) clock.advance(1_000);
      await client.post(notes, { body: `note ${n}` });
    }
    const { body } = await client.get(`${notes}?limit=5&offset=10`);
    const expected = Array.from({ length: 50 }, (_, index) => `note ${53 - index}`);
    expect((body as { body: string }[]).map((note) => note.body)).toEqual(expected);
  });

  it('cannot be changed or removed', async () => {
    const { id } = (await client.post(notes, { body: 'kept' })).body;
    for (const method of ['PATCH', 'PUT', 'DELETE']) {
      expect((await client.call(method, `${notes}/${id}`)).status).toBe(404);
      const answer = await client.call(method, notes);
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    }
    expect((await client.get(notes)).body[0].body).toBe('kept');
  });
});
