import * as fc from 'fast-check';
import { BillingPeriod } from './billing-period.js';
import { BillingDate } from './calendar-date.js';

const anyMonth = fc.tuple(fc.integer({ min: 2, max: 9998 }), fc.integer({ min: 1, max: 12 }));

describe('BillingPeriod', () => {
  it.each([
    ['2026-01', 31],
    ['2026-02', 28],
    ['2028-02', 29],
    ['2000-02', 29],
    ['2100-02', 28],
    ['2026-04', 30],
    ['2026-12', 31],
    ['0001-02', 28],
  ])('gives %s %i days', (text, days) => {
    const period = BillingPeriod.parse(text)!;
    expect(period.days).toBe(days);
    expect(period.firstDay.toString()).toBe(`${text}-01`);
    expect(period.lastDay.toString()).toBe(`${text}-${days}`);
  });

  it.each(['2026-13', '2026-00', '0000-01', '2026-1', '2026-01-01', '26-01', ''])('does not read %j', (text) => {
    expect(BillingPeriod.parse(text)).toBeNull();
  });

  it('refuses months and years that do not exist', () => {
    expect(() => BillingPeriod.of(2026, 0)).toThrow(RangeError);
    expect(() => BillingPeriod.of(2026, 13)).toThrow(RangeError);
    expect(() => BillingPeriod.of(2026, 1.5)).toThrow(RangeError);
    expect(() => BillingPeriod.of(0, 1)).toThrow(RangeError);
    expect(() => BillingPeriod.of(10_000, 1)).toThrow(RangeError);
  });

  it('contains its first and last day, but not the days before and after', () => {
    const period = BillingPeriod.of(2026, 6);
    expect(period.contains(period.firstDay)).toBe(true);
    expect(period.contains(period.lastDay)).toBe(true);
    expect(period.contains(period.firstDay.plusDays(-1))).toBe(false);
    expect(period.contains(period.lastDay.plusDays(1))).toBe(false);
  });

  it('has ended at the first instant of the next month', () => {
    const period = BillingPeriod.of(2026, 6);
    expect(period.hasEnded(new Date('2026-06-30T23:59:59.999Z'))).toBe(false);
    expect(period.hasEnded(new Date('2026-07-01T00:00:00.000Z'))).toBe(true);
  });

  it('follows the previous month without a gap', () => {
    fc.assert(
      fc.property(anyMonth, ([year, month]) => {
        const period = BillingPeriod.of(year, month);
        const next = period.next();
        expect(next.firstDay.equals(period.lastDay.plusDays(1))).toBe(true);
        expect(next.previous().toString()).toBe(period.toString());
      }),
    );
  });

  it('is found by any of its days', () => {
    const middle = BillingDate.parse('2028-02-29')!;
    expect(BillingPeriod.containing(middle).toString()).toBe('2028-02');
    expect(BillingPeriod.containing(middle)).toMatchObject({ year: 2028, month: 2 });
  });
});
