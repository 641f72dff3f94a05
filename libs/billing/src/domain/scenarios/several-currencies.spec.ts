import { aContract } from '../../testing/a-contract.js';
import { aLicense } from '../../testing/a-license.js';
import { bill } from '../../testing/bill.js';
import { day } from '../../testing/days.js';
import { idOf } from '../../testing/ids.js';

const contracts = [
  aContract({
    id: idOf('c1'),
    currency: 'USD',
    unitPriceCents: 1500,
    model: 'flat_unlimited',
    validFrom: day('2026-06-21'),
  }),
  aContract({ id: idOf('c2'), currency: 'EUR', unitPriceCents: 999 }),
  aContract({ id: idOf('c3'), currency: 'EUR', unitPriceCents: 700, model: 'flat_capped' }),
  // Without cents: 1000 JPY are 1000 minor units.
  aContract({ id: idOf('c4'), currency: 'JPY', unitPriceCents: 1000, model: 'flat_unlimited' }),
  aContract({ id: idOf('c5'), currency: 'CHF', model: 'prepaid_pack', packSize: 5 }),
];

describe('one statement with one total per currency (rule 9)', () => {
  it('sorts lines by contract and totals by currency, including a total of 0', () => {
    const licenses = [aLicense({ on: 'c2', issued: '2026-06-26' })];
    const { lines, totals } = bill({ in: '2026-06', contracts, licenses });
    expect(lines.map((line) => line.contractId)).toEqual(['c1', 'c2', 'c3', 'c4', 'c5']);
    expect(totals).toEqual([
      { currency: 'CHF', amountCents: 0 },
      // 999 * 5 / 30 = 166.5, and 700
      { currency: 'EUR', amountCents: 867 },
      { currency: 'JPY', amountCents: 1000 },
      // 1500 * 10 / 30
      { currency: 'USD', amountCents: 500 },
    ]);
  });

  it('shows no currency without a line', () => {
    expect(bill({ in: '2026-06', contracts: contracts.slice(1, 2) }).totals).toEqual([]);
  });
});
