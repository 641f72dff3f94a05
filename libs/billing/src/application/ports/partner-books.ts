import type { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';

/** Locks a partner's past months: either a transaction computes statements of them, or others change their facts. */
export abstract class PartnerBooks {
  /**
   * Runs `work` in its own transaction with one snapshot of the database. Meanwhile no other transaction computes
   * statements of this partner or changes its past.
   */
  abstract close<T>(partnerId: Uuid, work: () => Promise<T>): Promise<T>;
  /**
   * Call it in a transaction that changes facts from these days on. Until the transaction ends, months that could be
   * finalized now are not finalized. Partners without such a month need not wait for a computation.
   * @param now the clock of this process; the database's clock is checked as well
   */
  abstract keepOpen(days: ReadonlyMap<Uuid, BillingDate>, now: Date): Promise<void>;
}
