import { aDistributor, aLicense, transferTo, type Seller } from '../support/builders/a-license.js';
import { FixedClock } from '../support/fixed-clock.js';
import type { HttpClient } from '../support/http/http-client.js';
import { startLicensingApi, type LicensingApi } from '../support/licensing/licensing-api.js';

const STAY = `
  insert into licensing.ownership_spans (license_id, contract_id, days, opened_by, closed_by)
  select license_id, $2::uuid, $3::daterange, id, case when not upper_inf($3::daterange) then id end
    from licensing.ledger_events where license_id = $1 and position = 1`;

describe('the tables of licensing', () => {
  let api: LicensingApi;
  let client: HttpClient;
  let from: Seller;
  let to: Seller;

  beforeAll(async () => {
    api = await startLicensingApi({ clock: new FixedClock('2026-05-10T12:00:00.000Z') });
    ({ client, from, to } = await aDistributor(api));
  });

  afterAll(() => api.close());

  const stay = (licenseId: string, days: string) => api.sql(STAY, [licenseId, to.contractId, days]);

  const staysOf = (licenseId: string) =>
    api.sql<{ days: string }>(
      'select days::text from licensing.ownership_spans where license_id = $1 order by lower(days)',
      [licenseId],
    );

  it.each(['customer', 'contract'] as const)('refuse a %s of another partner', async (what) => {
    const { id } = await aLicense(from);
    const other = { customer: to.customerId, contract: to.contractId }[what];
    await expect(
      api.sql(`update licensing.licenses set ${what}_id = $2 where id = $1`, [id, other]),
    ).rejects.toMatchObject({ constraint: `licenses_${what}_fkey` });
  });

  it.each(['[2026-05-01,2026-05-11)', '[2026-05-10,2026-05-11)', '[2026-06-01,)'])(
    'refuse a second owner of the same days: %s',
    async (days) => {
      const { id } = await aLicense(from);
      await expect(stay(id, days)).rejects.toMatchObject({ code: expect.stringMatching(/^23/) });
      expect(await staysOf(id)).toEqual([{ days: '[2026-05-10,)' }]);
    },
  );

  it('accept days before the first owner', async () => {
    const { id } = await aLicense(from);
    await stay(id, '[2026-05-01,2026-05-10)');
    expect(await staysOf(id)).toHaveLength(2);
  });

  it.each(['[2026-05-12,2026-05-13)', '[2026-05-19,2026-05-21)', '[2026-05-25,2026-05-26)'])(
    'refuse a second owner of days of a later owner: %s',
    async (days) => {
      const { id } = await aLicense(from);
      const moved = await client.post('/v1/transfers', { ...transferTo(to, id), effectiveDate: '2026-05-10' });
      expect(moved.status).toBe(201);
      await api.sql(
        `update licensing.ownership_spans set days = '[2026-05-10,2026-05-20)', closed_by = opened_by
          where license_id = $1`,
        [id],
      );
      await stay(id, '[2026-05-20,)');
      await expect(stay(id, days)).rejects.toMatchObject({ code: '23P01' });
    },
  );

  it('refuse a first span that ends within the next one', async () => {
    const { id } = await aLicense(from);
    await stay(id, '[2026-05-01,2026-05-05)');
    await expect(
      api.sql(`update licensing.ownership_spans set days = '[2026-05-04,)' where license_id = $1 and upper_inf(days)`, [
        id,
      ]),
    ).rejects.toMatchObject({ code: '23P01' });
  });

  it.each([
    'delete from license_service.policies',
    'truncate license_service.policies',
    'update license_service.policies set id = gen_random_uuid()',
  ])('keep policies that records use: %s', async (sql) => {
    await aLicense(from);
    await expect(api.sql(sql)).rejects.toThrow(/licenses have this policy for good|foreign key constraint/);
  });
});
