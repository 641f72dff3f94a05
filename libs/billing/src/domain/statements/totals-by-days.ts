import type { Money } from '#kernel/money/money';
import type { Uuid } from '#kernel/crypto/uuid';
import type { BillingWindow } from '../ownership/billing-window.js';
import type { BillingContract } from '../contracts/contract.js';
import { CurrencyTotals } from './currency-totals.js';
import { LineTally } from './line-tally.js';

/** Number of licenses under one contract with the same number of days. */
export interface LicensesByDays {
  /** At least 1. */
  readonly days: number;
  readonly licenses: number;
}

/**
 * The totals of a statement, computed from counts. The amount of a license depends only on its number of days, so the
 * result is the same as the calculator's, which goes license by license.
 * @param contracts all contracts of one partner
 * @param counts by contract; packs cost nothing and need no counts
 */
export function totalsByDays(
  contracts: readonly BillingContract[],
  counts: ReadonlyMap<Uuid, readonly LicensesByDays[]>,
  window: BillingWindow,
): Money[] {
  const totals = new CurrencyTotals();
  for (const contract of contracts) {
    const tally = new LineTally(contract, window);
    for (const { days, licenses } of counts.get(contract.state.id) ?? []) {
      if (tally.charging === 'by-license-day') tally.addParts(days, licenses);
      else tally.addLicenses(licenses);
    }
    const line = tally.line();
    if (line) totals.add(line.currency, line.amountCents);
  }
  return totals.inOrder();
}
