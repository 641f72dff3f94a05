import { readFileSync } from 'node:fs';
import { BillingDate } from '#kernel/time/calendar-date';
import type { PricingModel } from './contracts/pricing-model.js';
import { aContract } from '../testing/a-contract.js';
import { day, month, period } from '../testing/days.js';
import { idOf } from '../testing/ids.js';
import { readable, statementOf } from '../testing/statement-of.js';

interface Example {
  title: string;
  period: string;
  contracts: {
    id: string;
    partner: string;
    model: PricingModel;
    currency: string;
    unitPriceCents: number;
    validFrom?: string;
    validTo?: string | null;
    packSize?: number;
  }[];
  licenses: {
    id: string;
    contract: string;
    issuedAt: string;
    terminatedAt: string | null;
    transfers: { seq: number; effectiveDate: string; toContract: string }[];
  }[];
  expected: Record<string, ReturnType<typeof readable>>;
}

const file = new URL('../testing/billing-examples.json', import.meta.url);
const { examples } = JSON.parse(readFileSync(file, 'utf8')) as { examples: Example[] };

describe('the worked examples of the billing rules', () => {
  test.each(examples)('$title', (example) => {
    const contracts = example.contracts.map(({ id, partner, validFrom, validTo, ...terms }) =>
      aContract({
        ...terms,
        id: idOf(id),
        partnerId: idOf(partner),
        validFrom: day(validFrom ?? '2020-01-01'),
        validTo: validTo ? day(validTo) : null,
      }),
    );
    const licenses = example.licenses.map((license) => ({
      name: license.id,
      contractId: idOf(license.contract),
      issuedOn: utcDay(license.issuedAt),
      terminatedOn: license.terminatedAt === null ? null : utcDay(license.terminatedAt),
      transfers: license.transfers.map(({ seq, effectiveDate, toContract }) => ({
        recordedOrder: seq,
        effectiveDate: day(effectiveDate),
        toContractId: idOf(toContract),
      })),
    }));
    const partners = new Set(example.contracts.map((contract) => contract.partner));
    const computed = Object.fromEntries(
      [...partners].map((partner) => {
        const figures = statementOf(partner, contracts, licenses, month(example.period));
        return [partner, readable(figures, period(example.period).days)];
      }),
    );

    expect(computed).toEqual(inOrder(example.expected, partners));
  });
});

function utcDay(text: string): BillingDate {
  return BillingDate.of(new Date(text));
}

/** The examples list lines in the order of their story, statements by contract id; a partner without lines may be left out. */
function inOrder(expected: Example['expected'], partners: ReadonlySet<string>): Example['expected'] {
  return Object.fromEntries(
    [...partners].map((partner) => {
      const { lines, totals } = expected[partner] ?? { lines: [], totals: [] };
      return [partner, { lines: [...lines].sort((a, b) => (a.contractId < b.contractId ? -1 : 1)), totals }];
    }),
  );
}
