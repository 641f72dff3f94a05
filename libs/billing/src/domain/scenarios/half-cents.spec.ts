import { aContract } from '../../testing/a-contract.js';
import { aLicense } from '../../testing/a-license.js';
import { bill, onlyPart } from '../../testing/bill.js';

describe('prorated amounts are rounded to the nearest cent, a half cent up (rule 8)', () => {
  it.each([
    // 1999 * 14 / 28 = 999.5
    ['a 28-day month', '2027-02', '2027-02-15', 1999, 1000],
    // 1 * 14 / 28 = 0.5
    ['the smallest price', '2027-02', '2027-02-15', 1, 1],
    // 333 * 15 / 30 = 166.5
    ['a 30-day month', '2026-06', '2026-06-16', 333, 167],
    // 999 * 5 / 30 = 166.5
    ['five days', '2026-06', '2026-06-26', 999, 167],
    // 2 * 7 / 28 = 0.5
    ['a quarter of a month', '2026-02', '2026-02-22', 2, 1],
  ])('up in %s', (_, name, issued, unitPriceCents, amountCents) => {
    const contracts = [aContract({ unitPriceCents })];
    expect(onlyPart(bill({ in: name, contracts, licenses: [aLicense({ issued })] })).amountCents).toBe(amountCents);
  });

  it.each([
    // 1000 * 13 / 30 = 433.33 and 1000 * 14 / 30 = 466.67
    ['below the half down', '2026-06-18', 433],
    ['above the half up', '2026-06-17', 467],
  ])('%s', (_, issued, amountCents) => {
    expect(onlyPart(bill({ in: '2026-06', licenses: [aLicense({ issued })] })).amountCents).toBe(amountCents);
  });

  it('rounds each license, and adds the rounded amounts to the line', () => {
    const contracts = [aContract({ unitPriceCents: 333 })];
    const licenses = ['l1', 'l2', 'l3'].map((name) => aLicense({ name, issued: '2026-06-16' }));
    // 3 * 166.5 = 499.5, but 3 * 167 = 501
    const { lines, totals } = bill({ in: '2026-06', contracts, licenses });
    expect(lines).toMatchObject([{ quantity: 3, amountCents: 501, exact: '999/2' }]);
    expect(totals).toEqual([{ currency: 'EUR', amountCents: 501 }]);
  });

  it('prints the line of a license whose amount rounds to nothing', () => {
    const contracts = [aContract({ unitPriceCents: 1 })];
    // 1 * 1 / 30 = 0.03
    const { lines, totals } = bill({ in: '2026-06', contracts, licenses: [aLicense({ issued: '2026-06-30' })] });
    expect(lines).toMatchObject([{ quantity: 1, amountCents: 0, exact: '1/30', detail: [{ days: 1 }] }]);
    expect(totals).toEqual([{ currency: 'EUR', amountCents: 0 }]);
  });
});
