import { Injectable } from '@nestjs/common';
import { SecretText } from '#kernel/crypto/secret-text';
import { Transactions } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { InvalidCredential, UserDisabled } from '../domain/panel-auth-errors.js';
import type { User } from '../domain/user.js';
import { LegacyCredentialRepository, PasswordHasher } from './ports/legacy-credentials.js';
import { UserRepository } from './ports/user-repository.js';
import { Sessions, type OpenedSession } from './sessions.js';
import { Sources } from './sources.js';

const TOKEN_LIFETIME_MS = 15 * 60_000;
const SESSION_SECONDS = 8 * 60 * 60;

/** Sign-in without an identity provider, kept from earlier releases: a password, or a one-time token. */
@Injectable()
export class LegacyLogin {
  constructor(
    private readonly users: UserRepository,
    private readonly credentials: LegacyCredentialRepository,
    private readonly passwords: PasswordHasher,
    private readonly sessions: Sessions,
    private readonly transactions: Transactions,
    private readonly sources: Sources,
  ) {}

  /** @throws InvalidCredential after the same work, whether the address is unknown or the password is wrong */
  async withPassword(email: string, password: SecretText, userAgent: string | null): Promise<OpenedSession> {
    const candidates = await this.users.findByEmail(email.trim().toLowerCase());
    let accepted: User | null = null;
    for (const user of candidates.length > 0 ? candidates : [null]) {
      const stored = user && (await this.credentials.passwordHash(user.id));
      if ((await this.passwords.verify(stored, password)) && user) accepted = user;
    }
    return this.open(accepted, userAgent);
  }

  /** @throws InvalidCredential for a token that is unknown, used or older than 15 minutes */
  async withToken(token: SecretText, userAgent: string | null): Promise<OpenedSession> {
    const now = this.sources.clock.now();
    const userId = await this.transactions.run(() => this.credentials.takeToken(token.sha256(), now));
    return this.open(userId && (await this.users.get(userId)), userAgent);
  }

  /** @throws UserDisabled */
  async setPassword(userId: Uuid, password: SecretText): Promise<void> {
    await this.assertEnabled(userId);
    const hash = await this.passwords.hash(password);
    await this.transactions.run(() => this.credentials.setPassword(userId, hash));
  }

  /**
   * @returns the token in clear text: shown once, to whoever gives it to the user
   * @throws UserDisabled
   */
  async issueToken(userId: Uuid): Promise<{ token: SecretText; expiresAt: Date }> {
    await this.assertEnabled(userId);
    const token = new SecretText(`pst_${this.sources.randomness.bytes(32).toString('base64url')}`);
    const expiresAt = new Date(this.sources.clock.now().getTime() + TOKEN_LIFETIME_MS);
    await this.transactions.run(() => this.credentials.addToken(userId, token.sha256(), expiresAt));
    return { token, expiresAt };
  }

  private async assertEnabled(userId: Uuid): Promise<void> {
    if ((await this.users.get(userId))?.disabledAt) throw new UserDisabled();
  }

  private open(user: User | null, userAgent: string | null): Promise<OpenedSession> {
    if (!user || user.disabledAt) throw new InvalidCredential();
    return this.sessions.open(user, { expiresInSeconds: SESSION_SECONDS, idToken: null, userAgent });
  }
}
