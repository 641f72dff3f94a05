import { BillingDate } from '#kernel/time/calendar-date';

/**
 * The day in a `date` column that was selected as text; null for null.
 * @throws RangeError for a text that is not a day
 */
export function storedDay(text: string): BillingDate;
export function storedDay(text: string | null): BillingDate | null;
export function storedDay(text: string | null): BillingDate | null {
  if (text === null) return null;
  const day = BillingDate.parse(text);
  if (!day) throw new RangeError(`not a day in the database: ${text}`);
  return day;
}
