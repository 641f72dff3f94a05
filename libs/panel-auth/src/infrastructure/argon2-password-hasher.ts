import { hash, verify } from '@node-rs/argon2';
import { randomBytes } from 'node:crypto';
import type { SecretText } from '#kernel/secret-text';
import { PasswordHasher } from '../application/ports/legacy-credentials.js';

/** argon2id, 64 MiB and three passes: above what OWASP asks for. */
const COST = { memoryCost: 65_536, timeCost: 3, parallelism: 1 };

export class Argon2PasswordHasher extends PasswordHasher {
  /** Of a password that nobody has: what an unknown user is compared with. */
  private readonly nobody = hash(randomBytes(32).toString('base64url'), COST);

  hash(password: SecretText): Promise<string> {
    return hash(password.reveal(), COST);
  }

  async verify(stored: string | null, password: SecretText): Promise<boolean> {
    const matches = await verify(stored ?? (await this.nobody), password.reveal());
    return matches && stored !== null;
  }
}
