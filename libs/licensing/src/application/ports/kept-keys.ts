import type { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';

export interface KeptKey {
  readonly licenseId: Uuid;
  readonly sealed: Buffer;
}

/**
 * Keys of imported licenses, sealed and stored only until a remote license service has them. No other keys are stored.
 */
export abstract class KeptKeys {
  /** False without SECRETS_KEYS, because keys cannot be sealed then. */
  abstract readonly possible: boolean;
  abstract seal(licenseId: Uuid, key: SecretText): Buffer;
  /** In the caller's transaction. */
  abstract insert(keys: readonly KeptKey[]): Promise<void>;
  /**
   * Null if there is none.
   * @throws Unavailable if SECRETS_KEYS no longer has the key that sealed it
   */
  abstract find(licenseId: Uuid): Promise<SecretText | null>;
  /** In the caller's transaction. */
  abstract forget(licenseId: Uuid): Promise<void>;
  /** Seals the stored keys again with the newest key of the ring. */
  abstract reseal(): Promise<{ resealed: number; upToDate: number }>;
}
