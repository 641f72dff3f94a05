import type { Uuid } from '#kernel/crypto/uuid';

/** Keys on their way to their owners. A license enters with its first ledger entry. */
export abstract class OpenHandovers {
  /**
   * Resolves once the record that the key leaves is on the network: a kill from then on does not undo it.
   * @throws Unavailable if it cannot be recorded: then the key must not be sent
   */
  abstract leaving(licenseId: Uuid): Promise<void>;
  /** Same as `leaving`, for a key that has left. Recorded as soon as possible; never rejects. */
  abstract left(licenseId: Uuid): void;
  /** The key was not sent after all and is lost. Recorded as soon as possible; never rejects. */
  abstract failed(licenseId: Uuid): void;
  /**
   * Licenses whose key is permanently lost, oldest first: their process died or failed on the way, and no repeat of the
   * request can ask again. Removes those whose response is stored for a repeat.
   */
  abstract listLost(now: Date, limit: number): Promise<Uuid[]>;
  abstract forget(licenseId: Uuid): Promise<void>;
}
