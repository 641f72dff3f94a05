import { aLicense, aSeller, type Seller } from '../../../support/builders/a-license.js';
import { aPartner, type PartnerWithTokens } from '../../../support/builders/a-partner.js';
import { aCustomer } from '../../../support/builders/a-world.js';
import { FixedClock } from '../../../support/fixed-clock.js';
import type { HttpClient } from '../../../support/http/http-client.js';
import { startLicensingApi, type LicensingApi } from '../../../support/licensing/licensing-api.js';

const UNKNOWN = '11111111-2222-4333-8444-555555555555';

describe('activity of a customer', () => {
  const clock = new FixedClock('2026-05-10T12:00:00.000Z');
  let api: LicensingApi;
  let parent: PartnerWithTokens;
  let client: HttpClient;
  let from: Seller;
  let to: Seller;
  let license: { id: string; humanId: string };
  let transferId: string;

  beforeAll(async () => {
    api = await startLicensingApi({ clock });
    parent = await aPartner(api.app, { type: 'distributor' });
    client = api.as(parent.writeToken);
    from = await aSeller(api, { parentId: parent.id });
    to = await aSeller(api, { parentId: parent.id });
    license = await aLicense(from);
    clock.set('2026-05-11T08:00:00.000Z');
    await client.post(`/v1/licenses/${license.id}/edition`, { edition: 'web-pro' });
    clock.set('2026-05-12T08:00:00.000Z');
    const { body } = await client.post('/v1/transfers', {
      licenseId: license.id,
      toPartnerId: to.partner.id,
      toCustomerId: to.customerId,
      toContractId: to.contractId,
      reason: '',
    });
    transferId = body.id;
    await to.client.post(`/v1/licenses/${license.id}/suspend`);
  });

  afterAll(() => api.close());

  const path = (seller: Seller, rest = '') => `/v1/customers/${seller.customerId}/activity${rest}`;
  const eventsAt = async (url: string) => (await client.get(url)).body.map(({ event }: any) => event);

  it('contains the events of the days on which the license belonged to the customer', async () => {
    expect(await eventsAt(path(from))).toEqual([
      'license.transferred_out',
      'license.edition_changed',
      'license.issued',
    ]);
    expect(await eventsAt(path(to))).toEqual(['license.suspended', 'license.transferred_in']);
  });

  it('shows what happened, when and by whom', async () => {
    const [out, edition, issued] = (await from.client.get(path(from))).body;
    expect(issued).toEqual({
      id: expect.any(Number),
      event: 'license.issued',
      at: '2026-05-10T12:00:00.000Z',
      actor: from.partner.id,
      customerId: from.customerId,
      licenseId: license.id,
      licenseHumanId: license.humanId,
      data: {},
    });
    expect(edition).toMatchObject({ actor: parent.id, data: { from: 'web-host', to: 'web-pro' } });
    expect(out.data).toEqual({
      transferId,
      effectiveDate: '2026-05-12',
      fromPartnerId: from.partner.id,
      toPartnerId: to.partner.id,
    });
    expect(out.id).toBeGreaterThan(edition.id);
    expect(edition.id).toBeGreaterThan(issued.id);
  });

  it.each([
    ['event=license.issued', ['license.issued']],
    ['event=license.issued&event=license.edition_changed', ['license.edition_changed', 'license.issued']],
    ['event=license.unheard_of', []],
    ['event=', []],
    ['event=%00', []],
    [`event=${'x'.repeat(2000)}`, []],
    ['from=2026-05-11', ['license.transferred_out', 'license.edition_changed']],
    ['to=2026-05-11', ['license.edition_changed', 'license.issued']],
    ['from=2026-05-11T08:00:00Z&to=2026-05-11T08:00:00.000Z', ['license.edition_changed']],
    ['from=2026-05-11T10:00:00%2B02:00&to=2026-05-11T23:59:59Z', ['license.edition_changed']],
    ['actor=nobody', []],
    ['actor=', []],
    ['limit=1', ['license.transferred_out']],
    ['limit=1&offset=1', ['license.edition_changed']],
    ['limit=nonsense&offset=-4', ['license.transferred_out', 'license.edition_changed', 'license.issued']],
  ])('lists %s', async (query, events) => {
    expect(await eventsAt(path(from, `?${query}`))).toEqual(events);
  });

  it('can be filtered by actor', async () => {
    expect(await eventsAt(path(from, `?actor=${from.partner.id}`))).toEqual(['license.issued']);
  });

  it.each(['from=x', 'to=2026-02-30', 'from=2026-05-11T25:00:00Z', 'after=x', 'actor=a&actor=b', 'from=infinity'])(
    'refuses %s',
    async (query) => {
      expect((await client.get(path(from, `?${query}`))).status).toBe(422);
    },
  );

  it('can be paged by key', async () => {
    const first = await client.get(path(from, '?limit=2'));
    const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link')!)![1]!;
    expect(await eventsAt(next)).toEqual(['license.issued']);
    expect((await client.get(path(from, '?after=999999'))).status).toBe(404);
  });

  it('contains events without a customer for the current customer of the license', async () => {
    const old = await aSeller(api, { parentId: parent.id });
    const { id } = await aLicense(old);
    await api.sql(
      `insert into licensing.ledger_events (license_id, position, event, at, actor, customer_id, data, previous_hash, hash)
       values ($1, 1000, 'license.suspended', '2019-03-01T00:00:00Z', null, null, '{}', $2, $2)`,
      [id, Buffer.alloc(32)],
    );
    const { body } = await client.get(path(old));
    expect(body.at(-1)).toMatchObject({ at: '2019-03-01T00:00:00.000Z', customerId: null, actor: null });
    expect(await eventsAt(path(old, '?actor='))).toEqual(['license.suspended']);
    const summary = (await client.get(path(old, '/summary'))).body;
    expect(summary.byActor).toEqual([
      { actor: old.partner.id, count: 1 },
      { actor: null, count: 1 },
    ]);
  });

  it('has a summary', async () => {
    expect((await client.get(path(from, '/summary'))).body).toEqual({
      customerId: from.customerId,
      total: 3,
      firstAt: '2026-05-10T12:00:00.000Z',
      lastAt: '2026-05-12T08:00:00.000Z',
      byEvent: [
        { event: 'license.edition_changed', count: 1 },
        { event: 'license.issued', count: 1 },
        { event: 'license.transferred_out', count: 1 },
      ],
      byActor: [parent.id, from.partner.id].sort().map((actor) => ({ actor, count: actor === parent.id ? 2 : 1 })),
    });
    const { id } = await aCustomer(api.app, parent.id);
    expect((await client.get(`/v1/customers/${id}/activity/summary`)).body).toEqual({
      customerId: id,
      total: 0,
      firstAt: null,
      lastAt: null,
      byEvent: [],
      byActor: [],
    });
  });

  it('can be exported as CSV', async () => {
    const answer = await client.get(path(from, '/export?event=license.edition_changed'));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="activity_${from.customerId}.csv"`);
    expect(answer.headers.get('x-export-row-limit')).toBe('5000');
    expect(answer.headers.get('x-export-total-rows')).toBe('1');
    expect(answer.headers.get('x-export-truncated')).toBe('false');
    const [head, row, end] = answer.text.split('\r\n');
    expect(head).toBe('id,at,event,actor,customerId,licenseId,licenseHumanId,data');
    expect(row).toMatch(
      new RegExp(
        `^\\d+,2026-05-11T08:00:00.000Z,license.edition_changed,${parent.id},${from.customerId},${license.id},` +
          `${license.humanId},"{""from"":""web-host"",""to"":""web-pro""}"$`,
      ),
    );
    expect(end).toBe('');
  });

  it('limits an export to 5000 rows, reports that, and escapes formulas', async () => {
    const busy = await aSeller(api, { parentId: parent.id });
    const { id } = await aLicense(busy);
    await api.sql(
      `insert into licensing.ledger_events (license_id, position, event, at, actor, customer_id, data, previous_hash, hash)
       select $1, n + 1, 'license.suspended', '2026-05-01T00:00:00Z'::timestamptz + n * interval '1 second',
              '=cmd()', $2, '{}', $3, $3 from generate_series(1, 5200) n`,
      [id, busy.customerId, Buffer.alloc(32)],
    );
    const answer = await client.get(path(busy, '/export'));
    expect(answer.headers.get('x-export-total-rows')).toBe('5201');
    expect(answer.headers.get('x-export-truncated')).toBe('true');
    const rows = answer.text.trimEnd().split('\r\n').slice(1);
    expect(rows).toHaveLength(5000);
    expect(rows[1]).toContain(",'=cmd(),");
    const times = rows.map((row) => row.split(',')[1]!);
    expect(times).toEqual([...times].sort().reverse());
  });

  it('is 404 for a missing, foreign or malformed customer id, on all three routes', async () => {
    const stranger = await aSeller(api);
    for (const rest of ['', '/summary', '/export']) {
      const missing = await client.get(`/v1/customers/${UNKNOWN}/activity${rest}`);
      for (const id of [stranger.customerId, 'x']) {
        const answer = await client.get(`/v1/customers/${id}/activity${rest}`);
        expect([answer.status, answer.text]).toEqual([404, missing.text]);
      }
    }
  });
});
