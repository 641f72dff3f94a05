import type { Uuid } from '#kernel/crypto/uuid';

/** What customers ask of licensing, which lies to their right and provides the answer by a global module. */
export abstract class LicenseCensus {
  /**
   * Whether any license of the customer is neither terminated nor expired. Asked inside a transaction that holds the
   * customer's row, so that none can be issued to it meanwhile.
   */
  abstract hasLiveLicenses(customerId: Uuid): Promise<boolean>;
}
