import { BillingDate } from './calendar-date.js';

/** A calendar month in UTC, first and last day included. */
export class BillingPeriod {
  private constructor(
    readonly year: number,
    /** 1 to 12 */
    readonly month: number,
    readonly firstDay: BillingDate,
    readonly lastDay: BillingDate,
  ) {}

  /** @param month 1 to 12; @throws RangeError for any other month or a year outside 1 to 9999 */
  static of(year: number, month: number): BillingPeriod {
    if (!Number.isInteger(month) || month < 1 || month > 12) throw new RangeError(`not a month: ${month}`);
    if (!Number.isInteger(year) || year < 1 || year > 9999) throw new RangeError(`not a year: ${year}`);
    const first = BillingDate.parse(`${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`)!;
    const lastOfMonth = new Date(first.startsAt());
    lastOfMonth.setUTCMonth(month, 0);
    return new BillingPeriod(year, month, first, BillingDate.of(lastOfMonth));
  }

  /** Reads exactly `YYYY-MM`; null for anything else. */
  static parse(text: string): BillingPeriod | null {
    const match = /^(\d{4})-(\d{2})$/.exec(text);
    if (!match) return null;
    const [year, month] = [Number(match[1]), Number(match[2])];
    return year >= 1 && month >= 1 && month <= 12 ? BillingPeriod.of(year, month) : null;
  }

  static containing(day: BillingDate): BillingPeriod {
    const [year, month] = day.toString().split('-').map(Number) as [number, number];
    return BillingPeriod.of(year, month);
  }

  /** Number of days in the month: 28 to 31. */
  get days(): number {
    return this.lastDay.epochDay - this.firstDay.epochDay + 1;
  }

  contains(day: BillingDate): boolean {
    return !day.isBefore(this.firstDay) && !this.lastDay.isBefore(day);
  }

  /** True from the first instant of the next month. */
  hasEnded(now: Date): boolean {
    return this.lastDay.isBefore(BillingDate.of(now));
  }

  next(): BillingPeriod {
    return BillingPeriod.containing(this.lastDay.plusDays(1));
  }

  previous(): BillingPeriod {
    return BillingPeriod.containing(this.firstDay.plusDays(-1));
  }

  /** `YYYY-MM` */
  toString(): string {
    return this.firstDay.toString().slice(0, 7);
  }
}
