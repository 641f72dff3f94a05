import { BillingPeriod } from '#kernel/time/billing-period';
import { BillingDate } from '#kernel/time/calendar-date';
import { BillingWindow } from '../domain/ownership/billing-window.js';

/** @param text `YYYY-MM-DD` */
export function day(text: string): BillingDate {
  const date = BillingDate.parse(text);
  if (!date) throw new RangeError(`not a day: ${text}`);
  return date;
}

/** @param text `YYYY-MM` */
export function period(text: string): BillingPeriod {
  const parsed = BillingPeriod.parse(text);
  if (!parsed) throw new RangeError(`not a month: ${text}`);
  return parsed;
}

/** @param text `YYYY-MM` */
export function month(text: string): BillingWindow {
  return BillingWindow.wholeMonth(period(text));
}
