import type { LimitRecord } from './gcra-storage.js';

export const WINDOW_SECONDS = 60;

/**
 * Allows at most `limit` requests in any 60 seconds, which may all come at once. Requests are counted per second: a
 * request stops counting when its whole second is 60 seconds old.
 */
export abstract class SlidingWindows {
  abstract take(key: string, limit: number): Promise<LimitRecord> | LimitRecord;
}

/** The seconds that still count, oldest first, with the number of requests in each. */
type Seconds = readonly (readonly [second: number, count: number])[];

/** The limit state for the response, from earlier requests and the current second. */
export function verdict(seconds: Seconds, limit: number, now: number): LimitRecord {
  const used = seconds.reduce((sum, [, count]) => sum + count, 0);
  const freeAt = (second: number) => second + WINDOW_SECONDS + 1;
  if (used < limit) {
    return { totalHits: used + 1, timeToExpire: WINDOW_SECONDS + 1, isBlocked: false, timeToBlockExpire: 0 };
  }
  let free = limit - used;
  const frees = seconds.find(([, count]) => (free += count) > 0);
  const last = seconds.at(-1)?.[0] ?? now;
  return {
    totalHits: limit + 1,
    timeToExpire: Math.ceil(freeAt(last) - now),
    isBlocked: true,
    timeToBlockExpire: Math.max(1, Math.ceil(freeAt(frees?.[0] ?? last) - now)),
  };
}

export class InProcessSlidingWindows extends SlidingWindows {
  private readonly windows = new Map<string, Map<number, number>>();
  private sweptAt = 0;

  constructor(private readonly monotonicMs: () => number = () => performance.now()) {
    super();
  }

  take(key: string, limit: number): LimitRecord {
    const now = this.monotonicMs() / 1000;
    this.removeExpired(now);
    const seconds = this.windows.get(key) ?? new Map<number, number>();
    for (const second of seconds.keys()) if (second < Math.floor(now) - WINDOW_SECONDS) seconds.delete(second);
    const told = verdict([...seconds], limit, now);
    if (!told.isBlocked) {
      const second = Math.floor(now);
      seconds.set(second, (seconds.get(second) ?? 0) + 1);
      this.windows.set(key, seconds);
    }
    return told;
  }

  private removeExpired(now: number): void {
    if (now - this.sweptAt < 10) return;
    this.sweptAt = now;
    for (const [key, seconds] of this.windows) {
      const last = [...seconds.keys()].at(-1) ?? 0;
      if (last < Math.floor(now) - WINDOW_SECONDS) this.windows.delete(key);
    }
  }
}
