import type { Uuid } from '#kernel/crypto/uuid';

/** Keeps those who compute the statements of a partner apart from those who change facts of past months. */
export abstract class PartnerBooks {
  /**
   * Runs `work` in a transaction of its own that sees one moment of the database. Meanwhile nobody else computes
   * statements of this partner or changes its past.
   */
  abstract close<T>(partnerId: Uuid, work: () => Promise<T>): Promise<T>;
  /** Within a transaction that changes facts of past days: keeps the partners' books open until it ends. */
  abstract keepOpen(partnerIds: readonly Uuid[]): Promise<void>;
}
