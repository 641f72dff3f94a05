import { Injectable } from '@nestjs/common';
import { NotFound } from '#kernel/errors';
import { SecretText } from '#kernel/crypto/secret-text';
import { Transactions } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { actorOf, type Caller } from '../domain/caller.js';
import { sessionExpiry, type Session } from '../domain/session.js';
import type { User } from '../domain/user.js';
import { AuditLog } from './audit-log.js';
import { SessionRepository } from './ports/session-repository.js';
import { SessionTokens } from './session-tokens.js';
import { PanelAuthSettings } from './settings.js';
import { Sources } from './sources.js';

const IDENTIFIER_BYTES = 32;
const MAX_USER_AGENT_LENGTH = 200;

/** A new session, with the values that the browser gets once and the database never stores. */
export interface OpenedSession {
  readonly session: Session;
  readonly user: User;
  /** Value of the cookie `oidc_session`. */
  readonly cookie: SecretText;
  /** Value of the host-only cookie that must come with it; null if the session cookie is host-only itself. */
  readonly binding: SecretText | null;
}

export interface SessionOrigin {
  /** `expires_in` of the provider, in seconds; null when unknown. */
  readonly expiresInSeconds: number | null;
  readonly idToken: SecretText | null;
  readonly userAgent: string | null;
}

@Injectable()
export class Sessions {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly tokens: SessionTokens,
    private readonly audit: AuditLog,
    private readonly transactions: Transactions,
    private readonly sources: Sources,
    private readonly settings: PanelAuthSettings,
  ) {}

  /** Starts a session under a new identifier, whatever cookie the browser sent. */
  async open(user: User, origin: SessionOrigin): Promise<OpenedSession> {
    const { clock, randomness } = this.sources;
    const now = clock.now();
    const session: Session = {
      id: randomness.uuid(),
      userId: user.id,
      createdAt: now,
      expiresAt: sessionExpiry(now, origin.expiresInSeconds),
      userAgent: origin.userAgent?.slice(0, MAX_USER_AGENT_LENGTH).toWellFormed() ?? null,
    };
    const cookie = this.identifier();
    const binding = this.settings.cookieDomain === null ? null : this.identifier();
    const stored = {
      session,
      sha256: cookie.sha256(),
      bindingSha256: binding?.sha256() ?? null,
      sealedTokens: origin.idToken && this.tokens.seal(origin.idToken, session.id),
    };
    await this.transactions.run(async () => {
      await this.sessions.insert(stored);
      await this.record('session.created', user.id, session.id);
    });
    return { session, user, cookie, binding };
  }

  /** The caller's sessions that have not expired, newest first. */
  list(caller: Caller): Promise<readonly Session[]> {
    return this.sessions.list(caller.user.id, this.sources.clock.now());
  }

  /** @throws NotFound for a session that is not the caller's */
  async end(caller: Caller, id: Uuid): Promise<void> {
    await this.transactions.run(async () => {
      if (!(await this.sessions.delete(id, caller.user.id))) throw new NotFound();
      await this.audit.record({
        action: 'session.ended',
        actor: actorOf(caller),
        organisationId: null,
        target: id,
        detail: {},
      });
    });
  }

  /**
   * Ends the session of a cookie, if there is one. Without the host-only companion the session cookie ends nothing and
   * reveals nothing: the ID token names the user.
   * @param binding value of the companion, null if the browser sent none
   * @returns the provider's ID token of that session; null if there was none or it cannot be opened
   */
  async signOut(cookie: SecretText, binding: SecretText | null): Promise<SecretText | null> {
    return this.transactions.run(async () => {
      const stored = await this.sessions.take(cookie.sha256(), binding?.sha256() ?? null);
      if (!stored) return null;
      await this.record('session.ended', stored.session.userId, stored.session.id);
      return stored.sealedTokens && this.tokens.open(stored.sealedTokens, stored.session.id);
    });
  }

  /** @returns how many expired sessions were deleted */
  sweep(): Promise<number> {
    return this.transactions.run(() => this.sessions.deleteExpired(this.sources.clock.now()));
  }

  private identifier(): SecretText {
    return new SecretText(this.sources.randomness.bytes(IDENTIFIER_BYTES).toString('base64url'));
  }

  private record(action: 'session.created' | 'session.ended', userId: Uuid, target: Uuid): Promise<void> {
    return this.audit.record({ action, actor: { userId, apiKeyId: null }, organisationId: null, target, detail: {} });
  }
}
