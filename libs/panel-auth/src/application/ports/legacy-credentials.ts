import type { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';

export abstract class PasswordHasher {
  abstract hash(password: SecretText): Promise<string>;
  /** Takes the same time for every stored hash; if `stored` is null, compares with a hash that nothing matches. */
  abstract verify(stored: string | null, password: SecretText): Promise<boolean>;
}

/** The credentials of the legacy sign-in: passwords and one-time sign-in tokens. */
export abstract class LegacyCredentialRepository {
  abstract passwordHash(userId: Uuid): Promise<string | null>;
  abstract setPassword(userId: Uuid, hash: string): Promise<void>;
  abstract addToken(userId: Uuid, sha256: Buffer, expiresAt: Date): Promise<void>;
  /** The user for whom a token was created; the token is then deleted. Null if it is unknown, used or expired. */
  abstract takeToken(sha256: Buffer, now: Date): Promise<Uuid | null>;
}
