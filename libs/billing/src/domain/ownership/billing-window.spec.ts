import { BillingWindow } from './billing-window.js';
import { day, month, period } from '../../testing/days.js';

const june = month('2026-06');
const at = (text: string): number => day(text).epochDay;

describe('BillingWindow', () => {
  it.each([
    ['2026-06-10', '2026-06-10', 1],
    ['2026-06-01', '2026-06-30', 30],
    ['2026-05-01', '2026-07-31', 30],
    ['2026-05-01', '2026-06-01', 1],
    ['2026-06-30', '2026-07-31', 1],
    ['2026-05-01', '2026-05-31', 0],
    ['2026-07-01', '2026-07-31', 0],
    ['2026-06-10', '2026-06-09', 0],
  ])('counts the days from %s to %s that lie in June: %i', (first, last, days) => {
    expect(june.daysWithin(at(first), at(last))).toBe(days);
  });

  it('may end before the month does, but not after', () => {
    expect(BillingWindow.through(period('2026-06'), day('2026-06-11')).lastDay).toBe(at('2026-06-11'));
    expect(BillingWindow.through(period('2026-06'), day('2026-07-11')).lastDay).toBe(at('2026-06-30'));
    expect(BillingWindow.through(period('2026-06'), day('2026-06-01')).daysWithin(0, 99_999)).toBe(1);
  });

  it('refuses a day before the month', () => {
    expect(() => BillingWindow.through(period('2026-06'), day('2026-05-31'))).toThrow(
      new RangeError('2026-05-31 is before 2026-06'),
    );
  });
});
