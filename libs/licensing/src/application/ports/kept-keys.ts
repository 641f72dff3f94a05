import type { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';

export interface KeptKey {
  readonly licenseId: Uuid;
  readonly sealed: Buffer;
}

/**
 * Keys of imported licenses, until a license service elsewhere has been told them: the only keys that are at rest with
 * us, sealed, and not for long.
 */
export abstract class KeptKeys {
  /** False without SECRETS_KEYS: then no key can be kept. */
  abstract readonly possible: boolean;
  abstract seal(licenseId: Uuid, key: SecretText): Buffer;
  /** In the caller's transaction. */
  abstract insert(keys: readonly KeptKey[]): Promise<void>;
  /**
   * Null when there is none.
   * @throws Unavailable when SECRETS_KEYS has lost the key it was sealed with
   */
  abstract find(licenseId: Uuid): Promise<SecretText | null>;
  /** In the caller's transaction. */
  abstract forget(licenseId: Uuid): Promise<void>;
  /** Seals what is kept again with the newest secret of the ring. */
  abstract reseal(): Promise<{ resealed: number; upToDate: number }>;
}
