import { BillingPeriod } from '#kernel/time/billing-period';
import type { Options } from '../command-line.js';
import { text } from '../option-values.js';
import { WrongUsage } from '../wrong-usage.js';

/** @throws WrongUsage if `--period` is not a month */
export function periodOption(options: Options): BillingPeriod {
  const period = BillingPeriod.parse(text(options, 'period'));
  if (!period) throw WrongUsage.value('--period', 'must be a month, YYYY-MM');
  return period;
}

export function optionalPeriod(options: Options): BillingPeriod | null {
  return options.period === undefined ? null : periodOption(options);
}
