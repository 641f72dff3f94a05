import type { BillingDate } from '#kernel/time/calendar-date';
import { effectiveDateInPast } from './licensing-errors.js';
import type { Owner } from './ownership.js';

/** Decides whether a partner's transfer may take effect before today. */
export interface Backdating {
  /** Whether the new contract charges for the license or by its own fee. */
  readonly newContractBills: boolean;
  /**
   * Whether the new partner gave away days before today by an earlier transfer of this license, on a contract other
   * than the one on which it would now get them back.
   */
  readonly gaveAwayPastDays: boolean;
}

/**
 * A partner's bill for past days can only fall by a transfer to another partner, who then owes them. It cannot fall by
 * a transfer within one partner, to a contract that bills nothing for it, or by a round trip through somebody else.
 * @throws Invalid `effective-date-in-past`
 */
export function assertMayTakeEffect(
  day: BillingDate,
  today: BillingDate,
  from: Owner,
  to: Owner,
  { newContractBills, gaveAwayPastDays }: Backdating,
): void {
  if (!day.isBefore(today)) return;
  if (from.partnerId === to.partnerId) throw effectiveDateInPast('must not be before today within one partner');
  if (!newContractBills) throw effectiveDateInPast('must not be before today for a contract that does not bill');
  if (gaveAwayPastDays) {
    throw effectiveDateInPast('must not be before today for a partner that gave these days away on another contract');
  }
}
