import { aContract } from '../../testing/a-contract.js';
import { aLicense } from '../../testing/a-license.js';
import { bill } from '../../testing/bill.js';
import { day } from '../../testing/days.js';

describe.each(['flat_unlimited', 'flat_capped'] as const)('%s costs one fee for its valid days (rule 6)', (model) => {
  const flat = (validFrom: string, validTo: string | null = null) => [
    aContract({
      model,
      unitPriceCents: 9999,
      validFrom: day(validFrom),
      validTo: validTo === null ? null : day(validTo),
    }),
  ];

  it.each([
    // 9999 * 22 / 31 = 7096.06; 9999 * 10 / 31 = 3225.48; 9999 * 1 / 31 = 322.55
    ['from the 10th', '2026-05-10', null, 7096, '219978/31'],
    ['through the 10th', '2020-01-01', '2026-05-10', 3225, '99990/31'],
    ['one day', '2026-05-31', '2026-05-31', 323, '9999/31'],
    ['the whole month', '2026-05-01', '2026-05-31', 9999, '9999/1'],
  ])('%s', (_, from, to, amountCents, exact) => {
    expect(bill({ in: '2026-05', contracts: flat(from, to) })).toEqual({
      lines: [
        { contractId: 'cA', model, currency: 'EUR', quantity: 1, unitPriceCents: 9999, amountCents, exact, detail: [] },
      ],
      totals: [{ currency: 'EUR', amountCents }],
    });
  });

  it('has no line in a month in which it is not valid, even with licenses', () => {
    const licenses = [aLicense()];
    expect(bill({ in: '2026-05', contracts: flat('2026-06-01'), licenses }).lines).toEqual([]);
    expect(bill({ in: '2026-05', contracts: flat('2020-01-01', '2026-04-30'), licenses }).lines).toEqual([]);
  });

  it('costs the same with licenses and without', () => {
    const licenses = ['l1', 'l2', 'l3'].map((name) => aLicense({ name }));
    const contracts = flat('2026-05-10');
    expect(bill({ in: '2026-05', contracts, licenses })).toEqual(bill({ in: '2026-05', contracts }));
  });

  it('rounds a half cent up', () => {
    // 333 * 15 / 30 = 166.5
    const contracts = [aContract({ model, unitPriceCents: 333, validFrom: day('2026-06-16') })];
    expect(bill({ in: '2026-06', contracts }).totals).toEqual([{ currency: 'EUR', amountCents: 167 }]);
  });
});
