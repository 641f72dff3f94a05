import { aDistributor, aLicense, aSeller, transferTo, type Seller } from '../../../support/builders/a-license.js';
import type { PartnerWithTokens } from '../../../support/builders/a-partner.js';
import { aContract } from '../../../support/builders/a-world.js';
import { FixedClock } from '../../../support/fixed-clock.js';
import type { HttpClient } from '../../../support/http/http-client.js';
import { startLicensingApi, type LicensingApi } from '../../../support/licensing/licensing-api.js';

const UNKNOWN = '11111111-2222-4333-8444-555555555555';

describe('the effective day of a transfer', () => {
  const clock = new FixedClock('2026-05-10T12:00:00.000Z');
  let api: LicensingApi;
  let parent: PartnerWithTokens;
  let client: HttpClient;
  let from: Seller;
  let to: Seller;

  beforeAll(async () => {
    api = await startLicensingApi({ clock });
    ({ parent, client, from, to } = await aDistributor(api));
  });

  beforeEach(() => clock.set('2026-05-10T12:00:00.000Z'));

  afterAll(() => api.close());

  const bodyFor = (licenseId: string, target: Seller = to) => transferTo(target, licenseId);

  const reasonOf = async (body: object) => {
    const answer = await client.post('/v1/transfers', body);
    return [answer.status, answer.headers.get('x-error-reason')];
  };

  async function spansOf(licenseId: string): Promise<string[]> {
    const rows = await api.sql<{ contract_id: string; days: string }>(
      'select contract_id, days::text from licensing.ownership_spans where license_id = $1 order by lower(days)',
      [licenseId],
    );
    const names = new Map([
      [from.contractId, 'from'],
      [to.contractId, 'to'],
    ]);
    return rows.map(({ contract_id, days }) => `${names.get(contract_id) ?? contract_id} ${days}`);
  }

  it('is the UTC day of an instant with an offset', async () => {
    const may = await aContract(api.app, from.partner.id);
    clock.set('2026-04-01T00:00:00.000Z');
    const { id } = await aLicense(from, { contractId: may.id });
    clock.set('2026-05-10T12:00:00.000Z');
    const { body } = await client.post('/v1/transfers', { ...bodyFor(id), effectiveDate: '2026-05-01T01:30:00+02:00' });
    expect(body.effectiveDate).toBe('2026-04-30');
  });

  it.each(['yesterday', '2026-02-30T00:00:00Z', '2026-05-01T25:00:00Z', '', 'infinity', '2026-05-01 10:00:00Z'])(
    'is refused as %j before any look-up',
    async (effectiveDate) => {
      const answer = await client.post('/v1/transfers', { ...bodyFor(UNKNOWN), effectiveDate });
      expect(answer.status).toBe(422);
      expect(answer.body.error.message).toContain('effectiveDate');
    },
  );

  it('is reported together with other invalid fields', async () => {
    const answer = await client.post('/v1/transfers', {
      ...bodyFor('L-1'),
      toPartnerId: 7,
      effectiveDate: 'yesterday',
    });
    expect(answer.status).toBe(422);
    for (const field of ['licenseId', 'toPartnerId', 'effectiveDate'])
      expect(answer.body.error.message).toContain(field);
  });

  it('must not be in the future, before the issue or before the last transfer', async () => {
    const { id } = await aLicense(from);
    const at = (effectiveDate: string, target = to) => reasonOf({ ...bodyFor(id, target), effectiveDate });
    expect(await at('2026-05-11T00:00:00Z')).toEqual([422, 'effective-date-in-future']);
    expect(await at('2026-05-09T23:59:59Z')).toEqual([422, 'effective-date-before-issue']);
    clock.set('2026-05-20T00:00:00.000Z');
    expect(await at('2026-05-15T00:00:00Z')).toEqual([201, null]);
    expect(await at('2026-05-14T00:00:00Z', from)).toEqual([422, 'effective-date-before-last-transfer']);
    expect(await at('2026-05-15T00:00:00Z', from)).toEqual([201, null]);
  });

  it('must not be before today within one partner, or for a contract that does not bill', async () => {
    const { id } = await aLicense(from);
    const own = (await aContract(api.app, from.partner.id)).id;
    const free = (await aContract(api.app, to.partner.id, { model: 'not_for_resale' })).id;
    const pack = (await aContract(api.app, to.partner.id, { model: 'prepaid_pack', packSize: 3 })).id;
    const flat = (await aContract(api.app, to.partner.id, { model: 'flat_unlimited' })).id;
    clock.set('2026-05-20T00:00:00.000Z');
    const at = (effectiveDate: string, target: Seller, toContractId: string) =>
      reasonOf({ ...bodyFor(id, target), toContractId, effectiveDate });
    for (const [target, contract] of [
      [from, own],
      [to, free],
      [to, pack],
    ] as const)
      // prettier-ignore
      expect(await at('2026-05-19T23:59:59Z', target, contract)).toEqual([422, 'effective-date-in-past']);
    expect(await at('2026-05-18T00:00:00Z', to, flat)).toEqual([201, null]);
    // Not even by way of another partner.
    expect(await at('2026-05-18T00:00:00Z', from, own)).toEqual([422, 'effective-date-in-past']);
    expect(await at('2026-05-18T00:00:00Z', from, from.contractId)).toEqual([201, null]);
    expect(await at('2026-05-20T00:00:00Z', from, own)).toEqual([201, null]);
  });

  it('belongs to the new owner, and to the last recorded of several transfers', async () => {
    const { id } = await aLicense(from);
    clock.set('2026-05-20T10:00:00.000Z');
    await client.post('/v1/transfers', { ...bodyFor(id), effectiveDate: '2026-05-15T00:00:00Z' });
    expect(await spansOf(id)).toEqual(['from [2026-05-10,2026-05-15)', 'to [2026-05-15,)']);
    await client.post('/v1/transfers', { ...bodyFor(id, from), effectiveDate: '2026-05-15T08:00:00Z' });
    expect(await spansOf(id)).toEqual(['from [2026-05-10,2026-05-15)', 'from [2026-05-15,)']);
    await client.post(`/v1/licenses/${id}/terminate`);
    expect(await spansOf(id)).toEqual(['from [2026-05-10,2026-05-15)', 'from [2026-05-15,2026-05-21)']);
  });

  it('leaves the first owner no day if it is the day of issue', async () => {
    const { id } = await aLicense(from);
    await client.post('/v1/transfers', bodyFor(id));
    expect(await spansOf(id)).toEqual(['to [2026-05-10,)']);
  });

  it('has one owner after several parallel transfers', async () => {
    const { id } = await aLicense(from);
    const targets = await Promise.all(Array.from({ length: 8 }, () => aSeller(api, { parentId: parent.id })));
    const answers = await Promise.all(targets.map((target) => client.post('/v1/transfers', bodyFor(id, target))));
    for (const answer of answers) expect(answer.status).toBe(201);
    const owner = (await client.get(`/v1/licenses/${id}`)).body.contractId;
    expect(await spansOf(id)).toEqual([`${owner} [2026-05-10,)`]);
  });
});
