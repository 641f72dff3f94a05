import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DataSource } from 'typeorm';
import { BillingPeriod } from '#kernel/time/billing-period';
import { FixedClock } from '../support/fixed-clock.js';
import { importLines, type Line } from '../support/licensing/import-file.js';
import { startPartnerApi, type RunningPartnerApi } from '../support/partner-api.js';

interface Example {
  readonly title: string;
  readonly period: string;
  readonly contracts: (Line & { id: string; partner: string; model: string; validFrom?: string })[];
  readonly licenses: {
    readonly id: string;
    readonly contract: string;
    readonly issuedAt: string;
    readonly terminatedAt: string | null;
    readonly transfers: { seq: number; effectiveDate: string; toContract: string }[];
  }[];
  readonly expected: Record<string, { lines: { contractId: string; pack?: object; detail?: Detail[] }[] }>;
}

interface Detail {
  readonly licenseId: string;
  readonly days: number;
}

const { examples } = JSON.parse(
  readFileSync(path.resolve(__dirname, '../../libs/billing/src/testing/billing-examples.json'), 'utf8'),
) as { examples: Example[] };

describe('the worked examples of billing, imported', () => {
  let api: RunningPartnerApi;
  const database = () => api.app.get(DataSource);

  beforeAll(async () => {
    api = await startPartnerApi({ clock: new FixedClock('2028-01-15T12:00:00Z') });
  });

  afterAll(() => api.close());

  it.each(examples.map((example, index) => [example.title, example, `x${index}-`] as const))(
    '%s: each contract owns the expected days',
    async (_title, example, prefix) => {
      await importLines(api.app, linesOf(example, prefix));
      const expected: Record<string, number> = {};
      for (const { lines } of Object.values(example.expected)) {
        for (const { contractId, detail } of lines) {
          for (const { licenseId, days } of detail ?? []) expected[`${contractId}/${licenseId}`] = days;
        }
      }
      const metered = new Set(Object.keys(expected).map((key) => key.split('/')[0]));
      const owned = await daysOwned(example.period, prefix);
      expect(Object.fromEntries(Object.entries(owned).filter(([key]) => metered.has(key.split('/')[0])))).toEqual(
        expected,
      );
    },
  );

  it('draws a slot of the pack for each license that was ever issued on it', async () => {
    const prefix = `x${examples.findIndex(({ title }) => title === 'prepaid pack')}-`;
    const draws = await database().query(
      `select l.ref, d.drawn_on::text as day from licensing.pack_draws d
         join licensing.imported_lines l on l.record_id = d.license_id where l.ref like $1 order by l.ref`,
      [`${prefix}%`],
    );
    expect(draws).toEqual([
      { ref: `${prefix}l1`, day: '2026-01-05' },
      { ref: `${prefix}l2`, day: '2026-03-05' },
      { ref: `${prefix}l3`, day: '2026-04-05' },
      { ref: `${prefix}l4`, day: '2026-06-02' },
      { ref: `${prefix}l5`, day: '2026-06-03' },
      { ref: `${prefix}l6`, day: '2026-07-01' },
    ]);
  });

  /** Days of the month by `<contract>/<license>`, added over all spans. */
  async function daysOwned(month: string, prefix: string): Promise<Record<string, number>> {
    const { firstDay, lastDay } = BillingPeriod.parse(month)!;
    const rows: { key: string; days: number }[] = await database().query(
      `select substr(k.ref, $3) || '/' || substr(l.ref, $3) as key,
              sum(upper(s.days * month.days) - lower(s.days * month.days))::integer as days
         from licensing.ownership_spans s
         cross join (select daterange($1::date, $2::date, '[]') as days) month
         join licensing.imported_lines k on k.type = 'contract' and k.record_id = s.contract_id
         join licensing.imported_lines l on l.type = 'license' and l.record_id = s.license_id
        where l.ref like $4 and s.days && month.days
        group by k.ref, l.ref`,
      [firstDay.toString(), lastDay.toString(), prefix.length + 1, `${prefix}%`],
    );
    return Object.fromEntries(rows.map(({ key, days }) => [key, days]));
  }
});

function linesOf({ contracts, licenses }: Example, prefix: string): Line[] {
  const partners = [...new Set(contracts.map(({ partner }) => partner))];
  const partnerOf = (contractId: string) => contracts.find(({ id }) => id === contractId)!.partner;
  return [
    ...partners.flatMap((partner) => [
      { type: 'partner', ref: prefix + partner, name: partner, partnerType: 'reseller' },
      { type: 'customer', ref: prefix + partner, partnerRef: prefix + partner, name: partner },
    ]),
    ...contracts.map(({ id, partner, validFrom = '2020-01-01', ...terms }) => {
      return { type: 'contract', ...terms, ref: prefix + id, partnerRef: prefix + partner, reference: id, validFrom };
    }),
    ...licenses.flatMap(({ id, contract, issuedAt, terminatedAt, transfers }) => [
      {
        type: 'license',
        ref: prefix + id,
        partnerRef: prefix + partnerOf(contract),
        customerRef: prefix + partnerOf(contract),
        contractRef: prefix + contract,
        edition: 'web-host',
        state: terminatedAt ? 'terminated' : 'active',
        issuedAt,
        terminatedAt,
      },
      ...[...transfers]
        .sort((a, b) => a.seq - b.seq)
        .map(({ effectiveDate, toContract }) => ({
          type: 'transfer',
          licenseRef: prefix + id,
          toPartnerRef: prefix + partnerOf(toContract),
          toCustomerRef: prefix + partnerOf(toContract),
          toContractRef: prefix + toContract,
          effectiveDate,
          reason: '',
        })),
    ]),
  ];
}
