import type { BillingDate } from '#kernel/time/calendar-date';
import { effectiveDateInPast } from './licensing-errors.js';
import type { Owner } from './ownership.js';

/** What decides whether a partner's transfer may take effect before today. */
export interface Backdating {
  /** Whether the new contract charges for the license or by a fee of its own. */
  readonly newContractBills: boolean;
  /**
   * Whether the new partner gave days before today away by an earlier transfer of this license, on another contract
   * than it would get them back on now.
   */
  readonly gaveAwayPastDays: boolean;
}

/**
 * What a partner owes for days that are over is lowered by nothing but a move to another partner, who then owes them:
 * neither inside one partner, nor to a contract that bills nothing for it, nor by a detour over somebody else.
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
