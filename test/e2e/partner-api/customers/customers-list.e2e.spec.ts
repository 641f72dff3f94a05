import { aCustomer } from '../../../support/builders/a-customer.js';
import { aPartner, type PartnerWithTokens } from '../../../support/builders/a-partner.js';
import { FixedClock } from '../../../support/fixed-clock.js';
import type { HttpClient } from '../../../support/http/http-client.js';
import { startPartnerApi, type RunningPartnerApi } from '../../../support/partner-api.js';

interface Listed {
  id: string;
  name: string;
  createdAt: string;
}

describe('lists of customers', () => {
  const clock = new FixedClock('2026-05-01T08:30:00.000Z');
  let api: RunningPartnerApi;
  let parent: PartnerWithTokens;
  let child: PartnerWithTokens;
  let client: HttpClient;
  let newestFirst: string[];

  beforeAll(async () => {
    api = await startPartnerApi({ clock });
    parent = await aPartner(api.app);
    child = await aPartner(api.app, { parentId: parent.id });
    client = api.as(parent.readToken);
    const made = [];
    for (let n = 1; n <= 60; n++) {
      // Three customers each are created in the same millisecond.
      if (n % 3 === 0) clock.advance(1);
      made.push(await aCustomer(api.app, n % 2 ? parent.id : child.id));
    }
    newestFirst = made
      .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id);
  });

  afterAll(() => api.close());

  const page = async (query: string): Promise<string[]> => {
    const { status, body } = await client.get(`/v1/customers${query}`);
    expect(status).toBe(200);
    return (body as Listed[]).map(({ id }) => id);
  };

  it('are sorted newest first by creation time and id, over the whole subtree', async () => {
    expect(await page('?limit=200')).toEqual(newestFirst);
  });

  it('have 50 items per page by default', async () => {
    expect(await page('')).toEqual(newestFirst.slice(0, 50));
    expect(await page('?limit=7&offset=55')).toEqual(newestFirst.slice(55));
    expect(await page('?limit=1&offset=0')).toEqual(newestFirst.slice(0, 1));
    expect(await page('?offset=60')).toEqual([]);
    expect(await page('?offset=9007199254740991')).toEqual([]);
  });

  it.each(['0', '201', '-1', '1.5', 'ten', '', '1e2', '%00', '99999999999999999999', '5&limit=6'])(
    'falls back to 50 for the limit %s',
    async (limit) => {
      expect(await page(`?limit=${limit}`)).toEqual(newestFirst.slice(0, 50));
    },
  );

  it.each(['-1', '1.5', 'ten', '', '%00', '5&offset=6'])(
    'use the offset 0 for the invalid offset %s',
    async (offset) => {
      expect(await page(`?limit=3&offset=${offset}`)).toEqual(newestFirst.slice(0, 3));
    },
  );

  it.each([1, 7, 20, 59, 60])(
    'can be paged by key in pages of %d, and end with a page that is not full',
    async (limit) => {
      const seen: string[] = [];
      let next: string | null = `/v1/customers?limit=${limit}&offset=0`;
      while (next) {
        const { body, headers } = await client.get(next);
        seen.push(...(body as Listed[]).map(({ id }) => id));
        const link = headers.get('link');
        expect(link === null).toBe(body.length < limit);
        next = link && (/^<(\/v1\/customers\?[^>]*)>; rel="next"$/.exec(link)?.[1] ?? null);
      }
      expect(seen).toEqual(newestFirst);
    },
  );

  it('keep the filters in the link and drop the offset', async () => {
    const { headers } = await client.get('/v1/customers?q=Customer%20&status=active&limit=2&offset=4');
    const url = new URL(/<([^>]+)>/.exec(headers.get('link') ?? '')?.[1] ?? '', 'http://localhost');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      q: 'Customer ',
      status: 'active',
      limit: '2',
      after: newestFirst[5],
    });
  });

  it('ignore the offset if there is an after', async () => {
    expect(await page(`?limit=2&offset=10&after=${newestFirst[3]}`)).toEqual(newestFirst.slice(4, 6));
    expect(await page(`?after=${newestFirst.at(-1)}`)).toEqual([]);
    expect(await page(`?limit=2&after=${newestFirst[3]?.toUpperCase()}`)).toEqual(newestFirst.slice(4, 6));
  });

  it('continue after a customer that was deleted in the meantime, but only within the subtree', async () => {
    clock.advance(1_000);
    const writer = api.as(child.writeToken);
    const { id } = (await writer.post('/v1/customers', { name: 'Short-lived' })).body;
    await writer.delete(`/v1/customers/${id}`);
    expect(await page(`?limit=2&after=${id}`)).toEqual(newestFirst.slice(0, 2));
    const stranger = await aPartner(api.app);
    const foreign = await api.as(stranger.readToken).get(`/v1/customers?after=${id}`);
    const missing = await api.as(stranger.readToken).get('/v1/customers?after=7d3b1c3e-6a0f-4b5e-9a59-0d7a5a9f4f3c');
    expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
  });

  it.each([
    ['after', 'x'],
    ['after', ''],
    ['partnerId', 'x'],
    ['partnerId', ''],
    ['partnerId', '%00'],
    ['status', 'gone'],
    ['status', ''],
    ['q', 'a%00b'],
    ['q', 'x'.repeat(501)],
    ['q', 'a&q=b'],
    ['externalRef', '%00'],
    ['externalRef', 'a&externalRef=b'],
  ])('refuse the filter %s=%s', async (name, value) => {
    const { status, body, headers } = await client.get(`/v1/customers?${name}=${value}`);
    expect([status, headers.get('x-error-reason')]).toEqual([422, 'validation']);
    expect(body.error.message).toContain(name);
  });

  it('ignore unknown parameters', async () => {
    expect(await page('?limit=2&sort=name&__proto__=x&page=3')).toEqual(newestFirst.slice(0, 2));
  });
});
