import type { Uuid } from '#kernel/crypto/uuid';

/** Which keys are on their way to their owners. A license enters with its first ledger entry. */
export abstract class OpenHandovers {
  /**
   * Resolves in the moment in which the note that the key leaves is with the network: a kill from now on does not take
   * it back.
   * @throws Unavailable when it cannot be noted: then the key must not leave
   */
  abstract leaving(licenseId: Uuid): Promise<void>;
  /** As above, of a key that has left. Noted as soon as possible; never rejects. */
  abstract left(licenseId: Uuid): void;
  /** The key did not get out after all and is gone. Noted as soon as possible; never rejects. */
  abstract failed(licenseId: Uuid): void;
  /**
   * Licenses whose key is lost for good, oldest first: their process died or failed on the way, and no repeat of the
   * request can ask again. Forgets those whose answer is kept for a repeat.
   */
  abstract listLost(now: Date, limit: number): Promise<Uuid[]>;
  abstract forget(licenseId: Uuid): Promise<void>;
}
