import type { ThrottlerStorage } from '@nestjs/throttler';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { accepted, InProcessGcraStorage, refused } from './gcra-storage.js';

/** Atomic in Redis and by Redis's clock, so that any number of processes share one bucket. Times in ms. */
const GCRA = `
local now = redis.call('TIME')
now = now[1] * 1000 + now[2] / 1000
local ttl, earned = tonumber(ARGV[1]), tonumber(ARGV[2])
local full = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now) + earned
local wait = full - now - ttl
if wait > 0.001 then return {1, tostring(full - now)} end
redis.call('SET', KEYS[1], tostring(full), 'PX', math.ceil(full - now))
return {0, tostring(full - now)}
`;

/**
 * Limits shared by several processes. While Redis is away, each process counts alone: the limits are looser, but nobody
 * is locked out.
 */
export class RedisGcraStorage implements ThrottlerStorage {
  private readonly fallback = new InProcessGcraStorage();
  private complainedAt = 0;

  constructor(
    private readonly redis: Redis,
    private readonly logger: Logger,
  ) {}

  async increment(key: string, ttl: number, limit: number) {
    try {
      const [blocked, ms] = (await this.redis.eval(GCRA, 1, `limit:${key}`, ttl, ttl / limit)) as [number, string];
      const [fullInMs, earnedEvery] = [Number(ms), ttl / limit];
      return blocked
        ? refused(limit, fullInMs - ttl, fullInMs - earnedEvery)
        : accepted(fullInMs / earnedEvery, fullInMs);
    } catch (error) {
      this.complain(error);
      return this.fallback.increment(key, ttl, limit);
    }
  }

  private complain(error: unknown): void {
    const now = performance.now();
    if (this.complainedAt && now - this.complainedAt < 10_000) return;
    this.complainedAt = now;
    this.logger.warn({ err: error }, 'rate limits: Redis does not answer, counting in process');
  }
}
