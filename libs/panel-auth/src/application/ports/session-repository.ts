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
  /** Those that have not expired at `now`, newest first. */
  abstract list(userId: Uuid, now: Date): Promise<readonly Session[]>;
  /** False when the user has no such session. */
  abstract delete(id: Uuid, userId: Uuid): Promise<boolean>;
  /**
   * What was stored under that identifier, which is gone afterwards; null when there was nothing, or when the session
   * has a companion cookie and `bindingSha256` is not that of it.
   */
  abstract take(sha256: Buffer, bindingSha256: Buffer | null): Promise<StoredSession | null>;
  /** How many were deleted. */
  abstract deleteExpired(now: Date): Promise<number>;
}

/** Remembers which sign-ins have come back from the provider, so that a callback counts once. */
export abstract class SignInLedger {
  /** For good when it returns, unless a transaction is open. @returns false when the state was used before */
  abstract consume(stateSha256: Buffer, expiresAt: Date): Promise<boolean>;
  abstract deleteExpired(now: Date): Promise<number>;
}
