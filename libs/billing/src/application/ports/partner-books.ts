import type { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';

/** Keeps those who compute the statements of a partner apart from those who change facts of past months. */
export abstract class PartnerBooks {
  /**
   * Runs `work` in a transaction of its own that sees one moment of the database. Meanwhile nobody else computes
   * statements of this partner or changes its past.
   */
  abstract close<T>(partnerId: Uuid, work: () => Promise<T>): Promise<T>;
  /**
   * Within a transaction that changes facts from these days on: keeps open the books of those partners whose months may
   * be finalized at this moment, until it ends. Others need not wait for anybody who computes.
   * @param now by the clock of this process; the database's own decides as well
   */
  abstract keepOpen(days: ReadonlyMap<Uuid, BillingDate>, now: Date): Promise<void>;
}
