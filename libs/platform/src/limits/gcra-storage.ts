import type { ThrottlerStorage } from '@nestjs/throttler';

export type LimitRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/**
 * A token bucket stored as one number (GCRA). `limit` is the burst, and `ttl / limit` the time in ms for one more
 * request: 30 and 3000 mean ten requests a second with bursts of 30. It uses monotonic time, so changes of the system
 * clock do not matter.
 */
export class InProcessGcraStorage implements ThrottlerStorage {
  /** The theoretical arrival time of each key: the instant at which its bucket is full again. */
  private readonly fullAt = new Map<string, number>();
  private sweptAt = 0;

  constructor(private readonly monotonicMs: () => number = () => performance.now()) {}

  increment(key: string, ttl: number, limit: number): Promise<LimitRecord> {
    return Promise.resolve(this.take(key, ttl, limit));
  }

  /** `increment`, for callers that need not wait for it. */
  take(key: string, ttl: number, limit: number): LimitRecord {
    const now = this.monotonicMs();
    this.forgetFullBuckets(now);
    const earnedEvery = ttl / limit;
    const fullInMs = Math.max((this.fullAt.get(key) ?? now) - now, 0) + earnedEvery;
    const wait = fullInMs - ttl;
    if (wait > 1e-6) return refused(limit, wait, fullInMs - earnedEvery);
    this.fullAt.set(key, now + fullInMs);
    return accepted(fullInMs / earnedEvery, fullInMs);
  }

  private forgetFullBuckets(now: number): void {
    if (now - this.sweptAt < 10_000) return;
    this.sweptAt = now;
    for (const [key, fullAt] of this.fullAt) if (fullAt <= now) this.fullAt.delete(key);
  }
}

/** @param fullInMs time until the bucket is full again, without refused requests */
export function refused(limit: number, waitMs: number, fullInMs: number): LimitRecord {
  return {
    totalHits: limit + 1,
    timeToExpire: Math.ceil(fullInMs / 1000),
    isBlocked: true,
    timeToBlockExpire: Math.max(1, Math.ceil(waitMs / 1000)),
  };
}

export function accepted(hits: number, fullInMs: number): LimitRecord {
  return {
    // Times are fractions. Rounding must not count one request as two.
    totalHits: Math.ceil(hits - 1e-6),
    timeToExpire: Math.ceil(fullInMs / 1000),
    isBlocked: false,
    timeToBlockExpire: 0,
  };
}
