import type { Uuid } from '#kernel/crypto/uuid';

const MINUTE_MS = 60_000;
const UNTOLD_MS = 15 * MINUTE_MS;
/** Ten years: a limit that dates can still represent. */
const MAX_LIFETIME_MS = 10 * 365 * 24 * 60 * MINUTE_MS;

/** A browser's sign-in. The browser holds a random identifier; only its hash is known here. */
export interface Session {
  readonly id: Uuid;
  readonly userId: Uuid;
  readonly createdAt: Date;
  /** The first instant at which the session is no longer valid; set once and never moved. */
  readonly expiresAt: Date;
  /** The browser's user agent at sign-in, cut to 200 characters; null if missing. */
  readonly userAgent: string | null;
}

/**
 * When a session that starts now ends: after the provider's `expires_in` seconds, whatever they are; after 15 minutes
 * if the provider gives no usable value.
 */
export function sessionExpiry(now: Date, expiresInSeconds: number | null): Date {
  const usable = expiresInSeconds !== null && Number.isFinite(expiresInSeconds) && expiresInSeconds >= 0;
  const wanted = usable ? expiresInSeconds * 1000 : UNTOLD_MS;
  return new Date(now.getTime() + Math.min(wanted, MAX_LIFETIME_MS));
}

export function hasExpired(session: Pick<Session, 'expiresAt'>, now: Date): boolean {
  return session.expiresAt.getTime() <= now.getTime();
}
