import type { Uuid } from '#kernel/uuid';

const MINUTE_MS = 60_000;
const SHORTEST_MS = MINUTE_MS;
const LONGEST_MS = 12 * 60 * MINUTE_MS;
const UNTOLD_MS = 15 * MINUTE_MS;

/** A browser's sign-in. The browser holds a random identifier, of which only the hash is known here. */
export interface Session {
  readonly id: Uuid;
  readonly userId: Uuid;
  readonly createdAt: Date;
  /** The first instant at which the session no longer counts; set once and never moved. */
  readonly expiresAt: Date;
  /** As the browser named itself at sign-in, cut to 200 characters; null when it did not. */
  readonly userAgent: string | null;
}

/**
 * When a session that begins now ends: after the provider's `expires_in` seconds, at least one minute and at most
 * twelve hours; 15 minutes when the provider does not say or says nothing usable.
 */
export function sessionExpiry(now: Date, expiresInSeconds: number | null): Date {
  const usable = expiresInSeconds !== null && Number.isFinite(expiresInSeconds);
  const wanted = usable ? expiresInSeconds * 1000 : UNTOLD_MS;
  return new Date(now.getTime() + Math.min(Math.max(wanted, SHORTEST_MS), LONGEST_MS));
}

export function hasExpired(session: Pick<Session, 'expiresAt'>, now: Date): boolean {
  return session.expiresAt.getTime() <= now.getTime();
}
