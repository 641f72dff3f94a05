import { ListMarks } from '#libs/licensing';
import { Partners } from '#libs/partners';
import { aLicense, aSeller, type Seller } from '../../../support/builders/a-license.js';
import { aPartner, type PartnerWithTokens } from '../../../support/builders/a-partner.js';
import { aCustomer } from '../../../support/builders/a-world.js';
import { FixedClock } from '../../../support/fixed-clock.js';
import type { HttpClient } from '../../../support/http/http-client.js';
import { startLicensingApi, type LicensingApi } from '../../../support/licensing/licensing-api.js';

describe('lists of licenses', () => {
  const clock = new FixedClock('2026-05-01T00:00:00.000Z');
  let api: LicensingApi;
  let root: PartnerWithTokens;
  let client: HttpClient;
  let first: Seller;
  let second: Seller;

  beforeAll(async () => {
    api = await startLicensingApi({ clock });
    root = await aPartner(api.app, { type: 'distributor' });
    client = api.as(root.writeToken);
    first = await aSeller(api, { parentId: root.id });
    second = await aSeller(api, { parentId: first.partner.id });
    for (let n = 0; n < 12; n++) {
      await aLicense(n % 3 === 0 ? second : first, {
        externalBillingRef: `ref-${n % 2}`,
        edition: n % 4 === 0 ? 'web-pro' : 'web-host',
      });
      // Two licenses are issued at the same time, so their ids determine the order.
      if (n % 2 === 1) clock.advance(60_000);
    }
  });

  afterAll(() => api.close());

  const idsAt = async (as: HttpClient, url: string) => (await as.get(url)).body.map(({ id }: any) => id);

  /** The expected result, from the tables alone. */
  async function expected(partnerId: string, where = 'true'): Promise<string[]> {
    const rows = await api.sql<{ id: string }>(
      `with recursive tree as (select $1::uuid as id
         union all select p.id from partners.partners p join tree t on p.parent_id = t.id)
       select l.id from licensing.licenses l where l.partner_id in (select id from tree) and ${where}
        order by l.issued_at desc, l.id desc`,
      [partnerId],
    );
    return rows.map(({ id }) => id);
  }

  it('are sorted newest first, by time of issue and id, for every partner above', async () => {
    for (const partner of [root, first.partner, second.partner]) {
      expect(await idsAt(api.as(partner.readToken), '/v1/licenses?limit=200')).toEqual(await expected(partner.id));
    }
  });

  it.each([
    ['', 50, 0],
    ['limit=5', 5, 0],
    ['limit=5&offset=10', 5, 10],
    ['limit=0', 50, 0],
    ['limit=201', 50, 0],
    ['limit=-1', 50, 0],
    ['limit=abc&offset=abc', 50, 0],
    ['limit=1.5&offset=-1', 50, 0],
    ['offset=1000000', 50, 1_000_000],
    ['offset=99999999999999999999', 50, 1_000_000],
  ])('use limit %i and offset %i for "%s"', async (query, limit, offset) => {
    const all = await expected(root.id);
    expect(await idsAt(client, `/v1/licenses?${query}`)).toEqual(all.slice(offset, offset + limit));
  });

  it('can be paged by key, even while licenses are issued', async () => {
    const all = await expected(root.id);
    const walked: string[] = [];
    let path: string | undefined = '/v1/licenses?limit=5';
    while (path) {
      const page: Awaited<ReturnType<HttpClient['get']>> = await client.get(path);
      walked.push(...page.body.map(({ id }: any) => id));
      path = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
      clock.advance(1_000);
      await aLicense(first);
    }
    expect(walked).toEqual(all);
  });

  it('show each license byte for byte like a single read, in every state', async () => {
    const seller = await aSeller(api, {}, { model: 'trial', validFrom: '2026-01-01', validTo: '2026-05-01' });
    await aLicense(seller);
    for (const call of ['suspend', 'terminate']) {
      const { id } = await aLicense(seller, { externalBillingRef: `"quoted" \\ <é> 漢字 \u2028 ${call}` });
      await seller.client.post(`/v1/licenses/${id}/${call}`);
    }
    clock.advance(30.5 * 86_400_000);
    const pages = [
      await seller.client.get('/v1/licenses'),
      await seller.client.get('/v1/licenses?issuedFrom=2026-01-01'),
    ];
    const [page] = pages;
    expect(page!.body.map(({ state }: any) => state).sort()).toEqual(['expired', 'suspended', 'terminated']);
    expect(page!.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const alone = await Promise.all(page!.body.map(({ id }: any) => seller.client.get(`/v1/licenses/${id}`)));
    for (const { text } of pages) expect(text).toBe(`[${alone.map(({ text: one }) => one).join(',')}]`);
    clock.advance(-30.5 * 86_400_000);
  });

  it('answer 404 for an after that is not a license of the subtree, and 422 for one that is not an id', async () => {
    const foreign = await aLicense(await aSeller(api));
    expect((await client.get(`/v1/licenses?after=${foreign.id}`)).status).toBe(404);
    expect((await client.get('/v1/licenses?after=x')).status).toBe(422);
  });

  it('can be filtered by every field, with all conditions combined', async () => {
    const { id } = await aLicense(first, { externalBillingRef: "o'clock" });
    await first.client.post(`/v1/licenses/${id}/suspend`);
    const customer = await aCustomer(api.app, first.partner.id);
    await aLicense(first, { customerId: customer.id });
    const cases: [string, string][] = [
      ['state=suspended', `state = 'suspended'`],
      ['state=active', `state = 'active'`],
      ['state=terminated', `state = 'terminated'`],
      ['edition=web-pro', `edition = 'web-pro'`],
      ['edition=nothing', 'false'],
      [`customerId=${customer.id}`, `customer_id = '${customer.id}'`],
      [`contractId=${second.contractId}`, `contract_id = '${second.contractId}'`],
      [`partnerId=${second.partner.id}`, `partner_id = '${second.partner.id}'`],
      ['externalBillingRef=ref-1', `external_billing_ref = 'ref-1'`],
      ['externalBillingRef=', `external_billing_ref = ''`],
      [`externalBillingRef=${encodeURIComponent("o'clock")}`, `external_billing_ref = 'o''clock'`],
      ['issuedFrom=2026-05-01T00:02:00Z', `issued_at >= '2026-05-01T00:02:00Z'`],
      ['issuedTo=2026-05-01T00:02:00Z', `issued_at <= '2026-05-01T00:02:00Z'`],
      ['issuedTo=2026-04-30', 'false'],
      ['issuedTo=2026-05-01&issuedFrom=2026-05-01', `issued_at::date = '2026-05-01'`],
      [
        `state=active&edition=web-pro&partnerId=${first.partner.id}`,
        `state = 'active' and edition = 'web-pro' and partner_id = '${first.partner.id}'`,
      ],
    ];
    for (const [query, where] of cases) {
      const all = await expected(root.id, where);
      expect([query, await idsAt(client, `/v1/licenses?limit=200&${query}`)]).toEqual([query, all]);
      expect(await idsAt(client, `/v1/licenses?limit=2&offset=1&${query}`)).toEqual(all.slice(1, 3));
      if (all[0]) expect(await idsAt(client, `/v1/licenses?limit=2&after=${all[0]}&${query}`)).toEqual(all.slice(1, 3));
    }
    const foreign = await aSeller(api);
    expect(await idsAt(client, `/v1/licenses?partnerId=${foreign.partner.id}`)).toEqual([]);
  });

  it.each([
    'state=new',
    'customerId=x',
    'contractId=1',
    'partnerId=',
    'issuedFrom=yesterday',
    'state=active&state=trial',
  ])('refuse the filter %s', async (query) => {
    expect((await client.get(`/v1/licenses?${query}`)).status).toBe(422);
  });

  it('change with a partner that is moved with everything below it', async () => {
    const other = await aPartner(api.app, { type: 'distributor' });
    const moved = await aSeller(api, { parentId: first.partner.id });
    const below = await aSeller(api, { parentId: moved.partner.id });
    const ids = [(await aLicense(moved)).id, (await aLicense(below)).id];
    const transfer = await first.client.post('/v1/transfers', {
      licenseId: ids[0],
      toPartnerId: below.partner.id,
      toCustomerId: below.customerId,
      toContractId: below.contractId,
    });
    await api.app.get(Partners, { strict: false }).move(moved.partner.id, other.id);
    for (const partner of [root, first.partner, other, moved.partner, below.partner]) {
      const reader = api.as(partner.readToken);
      expect(await idsAt(reader, '/v1/licenses?limit=200')).toEqual(await expected(partner.id));
    }
    expect(await idsAt(client, '/v1/transfers')).not.toContain(transfer.body.id);
    expect(await idsAt(api.as(other.readToken), '/v1/transfers')).toEqual([transfer.body.id]);
    expect((await client.get(`/v1/licenses/${ids[0]}`)).status).toBe(404);
  });

  it('return the same rows for every offset with and without marks, even during changes', async () => {
    const marks = api.app.get(ListMarks, { strict: false });
    const owner = await aSeller(api, { parentId: root.id });
    const seed = (from: number, count: number) =>
      api.sql(
        `with made as (
           insert into licensing.licenses (id, number, partner_id, customer_id, contract_id, upstream_license_id,
             key_masked, edition, state, external_billing_ref, issued_at, owner_sequence, ledger_length, ledger_head)
           select gen_random_uuid(), nextval('licensing.license_numbers'), $1, $2, $3, gen_random_uuid(), '…', 'web-host',
                  'active', '', '2024-01-01'::timestamptz + (n % 400) * interval '1 hour', 1, 0, decode(repeat('00', 32), 'hex')
             from generate_series($4::int, $5::int) n returning id, issued_at)
         insert into licensing.subtree_index
         select s.ancestor_id, made.issued_at, made.id from made, partners.subtrees s where s.descendant_id = $1`,
        [owner.partner.id, owner.customerId, owner.contractId, from, from + count - 1],
      );
    const check = async () => {
      for (const partner of [root, owner.partner]) {
        const all = await expected(partner.id);
        const reader = api.as(partner.readToken);
        for (const offset of [
          0,
          499,
          500,
          501,
          777,
          1000,
          all.length - 60,
          all.length - 1,
          all.length,
          all.length + 5,
        ]) {
          const page = await idsAt(reader, `/v1/licenses?limit=40&offset=${offset}`);
          expect([offset, page]).toEqual([offset, all.slice(offset, offset + 40)]);
        }
      }
    };
    await seed(1, 900);
    await check();
    await marks.extend(clock.now(), 50);
    await check();
    await seed(2000, 300);
    for (const id of (await expected(owner.partner.id)).filter((_, n) => n % 40 === 0)) {
      const { partner, customerId, contractId } = first;
      const body = { licenseId: id, toPartnerId: partner.id, toCustomerId: customerId, toContractId: contractId };
      expect((await client.post('/v1/transfers', body)).status).toBe(201);
    }
    await aLicense(owner);
    await check();
    await marks.extend(clock.now(), 50);
    expect(await api.sql('select 1 from licensing.list_shifts')).toEqual([]);
    await check();
    await seed(5000, 120);
    await marks.extend(clock.now(), 50);
    await marks.extend(clock.now(), 50);
    await check();
  });
});
