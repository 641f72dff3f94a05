import type { Uuid } from '#kernel/crypto/uuid';
import type { Session } from '../../domain/session.js';

export interface StoredSession {
  readonly session: Session;
  readonly sha256: Buffer;
  readonly bindingSha256: Buffer | null;
  readonly sealedTokens: Buffer | null;
}

export abstract class SessionRepository {
  abstract insert(stored: StoredSession): Promise<void>;
  /** Sessions that have not expired at `now`, newest first. */
  abstract list(userId: Uuid, now: Date): Promise<readonly Session[]>;
  /** False if the user has no such session. */
  abstract delete(id: Uuid, userId: Uuid): Promise<boolean>;
  /**
   * Deletes the session with that identifier and returns it; null if there was none, or if it has a companion cookie
   * that does not match `bindingSha256`.
   */
  abstract take(sha256: Buffer, bindingSha256: Buffer | null): Promise<StoredSession | null>;
  /** @returns how many were deleted */
  abstract deleteExpired(now: Date): Promise<number>;
}

/** Records which sign-ins have come back from the provider, so that a callback counts only once. */
export abstract class SignInLedger {
  /**
   * Committed when it returns, unless a transaction is open.
   * @returns false if the state was used before
   */
  abstract consume(stateSha256: Buffer, expiresAt: Date): Promise<boolean>;
  abstract deleteExpired(now: Date): Promise<number>;
}
