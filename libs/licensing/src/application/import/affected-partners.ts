import { BillingPeriod } from '#kernel/time/billing-period';
import type { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';

/**
 * Existing partners whose statements an import changes, with the first affected month. Partners that the import creates
 * have no statements yet.
 */
export class AffectedPartners {
  private readonly fresh = new Set<Uuid>();
  private readonly firstDay = new Map<Uuid, BillingDate>();

  bring(partnerId: Uuid): void {
    this.fresh.add(partnerId);
  }

  affect(partnerId: Uuid, from: BillingDate): void {
    if (this.fresh.has(partnerId)) return;
    const known = this.firstDay.get(partnerId);
    if (!known || from.isBefore(known)) this.firstDay.set(partnerId, from);
  }

  /** Ordered by the first affected month. */
  byMonth(): { readonly from: BillingDate; readonly partnerIds: readonly Uuid[] }[] {
    const months = new Map<string, { from: BillingDate; partnerIds: Uuid[] }>();
    for (const [partnerId, day] of this.firstDay) {
      const month = BillingPeriod.containing(day);
      const group = months.get(month.toString()) ?? { from: month.firstDay, partnerIds: [] };
      group.partnerIds.push(partnerId);
      months.set(month.toString(), group);
    }
    return [...months.values()];
  }
}
