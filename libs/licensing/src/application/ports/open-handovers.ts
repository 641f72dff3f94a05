import type { Uuid } from '#kernel/crypto/uuid';

/** New licenses whose key may not have reached the caller yet. Issuing a license adds it. */
export abstract class OpenHandovers {
  /**
   * Records that the key is being sent. Resolves once that record is on the network, so that it survives a kill of this
   * process.
   * @throws Unavailable if it cannot be recorded: then the key must not be sent
   */
  abstract leaving(licenseId: Uuid): Promise<void>;
  /** Records that the key was sent, as soon as possible. Never rejects. */
  abstract left(licenseId: Uuid): void;
  /** Records that the key was not sent and is lost, as soon as possible. Never rejects. */
  abstract failed(licenseId: Uuid): void;
  /**
   * Licenses whose key is lost for good, oldest first: the process died or failed before the response, and no repeat of
   * the request can ask again. Also removes those whose response is stored for a repeat.
   */
  abstract listLost(now: Date, limit: number): Promise<Uuid[]>;
  abstract forget(licenseId: Uuid): Promise<void>;
}
