import type { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';

/** Separates transactions that compute a partner's statements from those that change facts of past months. */
export abstract class PartnerBooks {
  /**
   * Runs `work` in its own transaction with one snapshot of the database. Meanwhile no other transaction computes
   * statements of this partner or changes its past.
   */
  abstract close<T>(partnerId: Uuid, work: () => Promise<T>): Promise<T>;
  /**
   * Call it in a transaction that changes facts from these days on. Until it ends, it prevents finalizing for those
   * partners whose months could be finalized now; others do not have to wait for a computation.
   * @param now by the clock of this process; the database's clock is checked as well
   */
  abstract keepOpen(days: ReadonlyMap<Uuid, BillingDate>, now: Date): Promise<void>;
}
