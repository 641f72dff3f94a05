import { hash, verify } from '@node-rs/argon2';
import { randomBytes } from 'node:crypto';
import type { SecretText } from '#kernel/crypto/secret-text';
import { PasswordHasher } from '../application/ports/legacy-credentials.js';

/** argon2id, 64 MiB and three passes: above OWASP's recommendation. */
const COST = { memoryCost: 65_536, timeCost: 3, parallelism: 1 };

export class Argon2PasswordHasher extends PasswordHasher {
  /** Hash of an unknown password, with which unknown users are compared. */
  private nobody: Promise<string> | null = null;

  hash(password: SecretText): Promise<string> {
    return hash(password.reveal(), COST);
  }

  async verify(stored: string | null, password: SecretText): Promise<boolean> {
    // Created at the first sign-in, not at the start: most processes never see one.
    this.nobody ??= hash(randomBytes(32).toString('base64url'), COST);
    const ofNobody = await this.nobody;
    const matches = await verify(stored ?? ofNobody, password.reveal());
    return matches && stored !== null;
  }
}
