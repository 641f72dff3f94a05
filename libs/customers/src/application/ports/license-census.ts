import type { Uuid } from '#kernel/crypto/uuid';

/** What this context needs to know of licensing, which implements it and provides it in a global module. */
export abstract class LicenseCensus {
  /**
   * Whether a license of the customer is neither terminated nor expired. Called inside a transaction that locks the
   * customer's row, so that none can be issued to it meanwhile.
   */
  abstract hasLiveLicenses(customerId: Uuid): Promise<boolean>;
}
