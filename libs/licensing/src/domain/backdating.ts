import type { BillingDate } from '#kernel/time/calendar-date';
import { effectiveDateInPast } from './licensing-errors.js';
import type { Owner } from './ownership.js';

/** Facts that decide whether a partner's transfer may take effect before today. */
export interface Backdating {
  /** Whether the new contract bills anything, for each license or as a fee. */
  readonly newContractBills: boolean;
  /**
   * Whether an earlier, backdated transfer took past days of this license from the new partner, on a contract other
   * than the one that would now get them.
   */
  readonly gaveAwayPastDays: boolean;
}

/**
 * A backdated transfer may lower a partner's bill for past days only if another partner's bill rises instead. So it is
 * refused within one partner, to a contract that bills nothing, and if it would return past days to a partner on a
 * different contract.
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
