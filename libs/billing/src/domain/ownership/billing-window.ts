import type { BillingPeriod } from '#kernel/time/billing-period';
import type { BillingDate } from '#kernel/time/calendar-date';

/**
 * The days of a month that are billed: all of them for a statement, those up to today for live usage. Prices are
 * always divided by the days of the whole month.
 */
export class BillingWindow {
  private constructor(
    readonly period: BillingPeriod,
    /** Epoch day of the first billed day: the month's first. */
    readonly firstDay: number,
    /** Epoch day of the last billed day, counted. */
    readonly lastDay: number,
  ) {}

  static wholeMonth(period: BillingPeriod): BillingWindow {
    return new BillingWindow(period, period.firstDay.epochDay, period.lastDay.epochDay);
  }

  /**
   * The month as far as `day`, which is counted; a day after the month's end means the whole month.
   * @throws RangeError when `day` lies before the month
   */
  static through(period: BillingPeriod, day: BillingDate): BillingWindow {
    if (day.isBefore(period.firstDay)) throw new RangeError(`${day.toString()} lies before ${period.toString()}`);
    return new BillingWindow(period, period.firstDay.epochDay, Math.min(day.epochDay, period.lastDay.epochDay));
  }

  /** How many days of the window lie between the two epoch days, both counted; 0 when there is none. */
  daysWithin(firstDay: number, lastDay: number): number {
    return Math.max(0, Math.min(lastDay, this.lastDay) - Math.max(firstDay, this.firstDay) + 1);
  }
}
