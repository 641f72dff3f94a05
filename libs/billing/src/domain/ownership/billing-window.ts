import type { BillingPeriod } from '#kernel/time/billing-period';
import type { BillingDate } from '#kernel/time/calendar-date';

/**
 * The days of a month that are billed: all of them for a statement, those up to today for live usage. Prices are always
 * divided by the days of the whole month.
 */
export class BillingWindow {
  private constructor(
    readonly period: BillingPeriod,
    /** Epoch day of the first billed day: the month's first. */
    readonly firstDay: number,
    /** Epoch day of the last billed day, inclusive. */
    readonly lastDay: number,
  ) {}

  static wholeMonth(period: BillingPeriod): BillingWindow {
    return new BillingWindow(period, period.firstDay.epochDay, period.lastDay.epochDay);
  }

  /**
   * The month through `day`, inclusive; a day after the month's end means the whole month.
   * @throws RangeError if `day` is before the month
   */
  static through(period: BillingPeriod, day: BillingDate): BillingWindow {
    if (day.isBefore(period.firstDay)) throw new RangeError(`${day.toString()} is before ${period.toString()}`);
    return new BillingWindow(period, period.firstDay.epochDay, Math.min(day.epochDay, period.lastDay.epochDay));
  }

  /** Number of days of the window between the two epoch days, both included; 0 if none. */
  daysWithin(firstDay: number, lastDay: number): number {
    return Math.max(0, Math.min(lastDay, this.lastDay) - Math.max(firstDay, this.firstDay) + 1);
  }
}
