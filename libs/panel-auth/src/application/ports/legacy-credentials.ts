import type { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';

export abstract class PasswordHasher {
  abstract hash(password: SecretText): Promise<string>;
  /** Takes the same work for every stored hash; `stored` null is compared with a hash that nothing matches. */
  abstract verify(stored: string | null, password: SecretText): Promise<boolean>;
}

/** The credentials of the legacy sign-in: a password, and sign-in tokens that count once. */
export abstract class LegacyCredentialRepository {
  abstract passwordHash(userId: Uuid): Promise<string | null>;
  abstract setPassword(userId: Uuid, hash: string): Promise<void>;
  abstract addToken(userId: Uuid, sha256: Buffer, expiresAt: Date): Promise<void>;
  /** The user a token was made for; it is gone afterwards. Null when it is unknown, used or expired. */
  abstract takeToken(sha256: Buffer, now: Date): Promise<Uuid | null>;
}
