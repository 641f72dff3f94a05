import { aContract } from '../../testing/a-contract.js';
import { aLicense } from '../../testing/a-license.js';
import { bill, onlyPart } from '../../testing/bill.js';

describe('a price is divided by the days of the calendar month (rule 5)', () => {
  it.each([
    // 1000 * 14 / 28 = 500; 1000 * 15 / 29 = 517.24; 1000 * 17 / 31 = 548.39; 1000 * 16 / 30 = 533.33
    ['2026-02', '2026-02-15', 14, 500],
    ['2028-02', '2028-02-15', 15, 517],
    ['2026-01', '2026-01-15', 17, 548],
    ['2026-04', '2026-04-15', 16, 533],
    // 2100 is not a leap year, 2000 was one: 1000 * 14 / 28, 1000 * 15 / 29
    ['2100-02', '2100-02-15', 14, 500],
    ['2000-02', '2000-02-15', 15, 517],
  ])('%s from %s on: %i days', (name, issued, days, amountCents) => {
    expect(onlyPart(bill({ in: name, licenses: [aLicense({ issued })] }))).toEqual({ days, amountCents });
  });

  it.each(['2026-01', '2026-02', '2028-02', '2026-04', '2026-12'])('a whole month costs the price: %s', (name) => {
    const licenses = [aLicense({ issued: '1999-12-31' })];
    expect(onlyPart(bill({ in: name, licenses })).amountCents).toBe(1000);
  });

  it('bills 29 February of a leap year', () => {
    const licenses = [aLicense({ issued: '2028-02-29', terminated: '2028-02-29' })];
    // 1000 / 29 = 34.48
    expect(onlyPart(bill({ in: '2028-02', licenses }))).toEqual({ days: 1, amountCents: 34 });
  });

  it('continues across the turn of the year', () => {
    const licenses = [aLicense({ issued: '2026-12-31', terminated: '2027-01-01' })];
    // 3100 / 31 = 100 in both
    const contracts = [aContract({ unitPriceCents: 3100 })];
    expect(onlyPart(bill({ in: '2026-12', contracts, licenses }))).toEqual({ days: 1, amountCents: 100 });
    expect(onlyPart(bill({ in: '2027-01', contracts, licenses }))).toEqual({ days: 1, amountCents: 100 });
  });
});
