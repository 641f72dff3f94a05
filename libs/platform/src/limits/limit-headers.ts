import type { LimitRecord } from './gcra-storage.js';

/** The caller's use of its limit. */
export interface LimitState {
  /** Requests allowed in a burst. */
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the full burst is available again. */
  readonly resetSeconds: number;
}

interface HeaderTaker {
  header(name: string, value: number): unknown;
}

export function limitState(limit: number, { totalHits, timeToExpire, isBlocked }: LimitRecord): LimitState {
  const whole = Math.max(1, Math.floor(limit));
  return { limit: whole, remaining: isBlocked ? 0 : Math.max(0, whole - totalHits), resetSeconds: timeToExpire };
}

/** Sets the rate-limit headers of a response. */
export function setLimitHeaders(reply: HeaderTaker, { limit, remaining, resetSeconds }: LimitState): void {
  reply.header('ratelimit-limit', limit);
  reply.header('ratelimit-remaining', remaining);
  reply.header('ratelimit-reset', resetSeconds);
}
