import { BillingPeriod } from '#kernel/billing-period';
import { Invalid } from '#kernel/errors';
import type { Options } from '../command-line.js';
import { text } from '../option-values.js';

/** @throws Invalid when `--period` is no month */
export function periodOption(options: Options): BillingPeriod {
  const period = BillingPeriod.parse(text(options, 'period'));
  if (!period) throw Invalid.field('--period', 'must be a month, YYYY-MM');
  return period;
}

export function optionalPeriod(options: Options): BillingPeriod | null {
  return options.period === undefined ? null : periodOption(options);
}
