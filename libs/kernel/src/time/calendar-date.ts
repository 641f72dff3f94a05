const MS_PER_DAY = 86_400_000;
// 0001-01-01 and 9999-12-31.
const FIRST_DAY = -719_162;
const LAST_DAY = 2_932_896;

/** A UTC day without time or zone: the unit in which licenses are billed. */
export class BillingDate {
  private constructor(
    /** Days since 1970-01-01 (day 0). Consecutive days are consecutive integers. */
    readonly epochDay: number,
  ) {}

  /** The UTC day of the instant. */
  static of(instant: Date): BillingDate {
    return BillingDate.fromEpochDay(Math.floor(instant.getTime() / MS_PER_DAY));
  }

  /** @throws RangeError if the day is outside the years 0001 to 9999 */
  static fromEpochDay(epochDay: number): BillingDate {
    if (!Number.isInteger(epochDay) || epochDay < FIRST_DAY || epochDay > LAST_DAY) {
      throw new RangeError(`not a day of the years 0001 to 9999: ${epochDay}`);
    }
    return new BillingDate(epochDay);
  }

  /** Parses exactly `YYYY-MM-DD`; null for another format or a day that does not exist. */
  static parse(text: string): BillingDate | null {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
    const ms = Date.parse(`${text}T00:00:00Z`);
    if (Number.isNaN(ms)) return null;
    const date = new BillingDate(ms / MS_PER_DAY);
    // Date.parse accepts 2026-02-30 as 2 March, and the year 0, which we do not support.
    return date.toString() === text && date.epochDay >= FIRST_DAY ? date : null;
  }

  plusDays(days: number): BillingDate {
    return BillingDate.fromEpochDay(this.epochDay + days);
  }

  isBefore(other: BillingDate): boolean {
    return this.epochDay < other.epochDay;
  }

  equals(other: BillingDate): boolean {
    return this.epochDay === other.epochDay;
  }

  /** The first instant of the day. */
  startsAt(): Date {
    return new Date(this.epochDay * MS_PER_DAY);
  }

  toString(): string {
    return this.startsAt().toISOString().slice(0, 10);
  }

  toJSON(): string {
    return this.toString();
  }
}
