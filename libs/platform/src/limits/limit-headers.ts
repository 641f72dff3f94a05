import type { LimitRecord } from './gcra-storage.js';

/** Where a caller stands in its limit. */
export interface LimitState {
  /** Requests that may come at once. */
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the whole limit is free again. */
  readonly resetSeconds: number;
}

interface HeaderTaker {
  header(name: string, value: number): unknown;
}

export function limitState(limit: number, { totalHits, timeToExpire, isBlocked }: LimitRecord): LimitState {
  const whole = Math.max(1, Math.floor(limit));
  return { limit: whole, remaining: isBlocked ? 0 : Math.max(0, whole - totalHits), resetSeconds: timeToExpire };
}

/** Tells a caller in its answer how much of its limit is left. */
export function tellLimit(reply: HeaderTaker, { limit, remaining, resetSeconds }: LimitState): void {
  reply.header('ratelimit-limit', limit);
  reply.header('ratelimit-remaining', remaining);
  reply.header('ratelimit-reset', resetSeconds);
}
