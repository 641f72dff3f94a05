import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { LimitRecord } from './gcra-storage.js';
import { InProcessSlidingWindows, SlidingWindows, verdict, WINDOW_SECONDS } from './sliding-windows.js';

/** Atomic in Redis and by Redis's clock: a hash of counts per second. */
const TAKE = `
local time = redis.call('TIME')
local second, limit, window = tonumber(time[1]), tonumber(ARGV[1]), tonumber(ARGV[2])
local fields = redis.call('HGETALL', KEYS[1])
local answer, used = {time[1] .. '.' .. string.format('%06d', time[2])}, 0
for i = 1, #fields, 2 do
  if tonumber(fields[i]) < second - window then redis.call('HDEL', KEYS[1], fields[i])
  else
    used = used + tonumber(fields[i + 1])
    answer[#answer + 1] = fields[i]
    answer[#answer + 1] = fields[i + 1]
  end
end
if used < limit then
  redis.call('HINCRBY', KEYS[1], tostring(second), 1)
  redis.call('EXPIRE', KEYS[1], window + 1)
end
return answer
`;

/**
 * Windows shared by several processes. While Redis is away, each process counts alone: the limits are looser, but
 * nobody is locked out.
 */
export class RedisSlidingWindows extends SlidingWindows {
  private readonly fallback = new InProcessSlidingWindows();
  private complainedAt = 0;

  constructor(
    private readonly redis: Redis,
    private readonly logger: Logger,
  ) {
    super();
  }

  async take(key: string, limit: number): Promise<LimitRecord> {
    try {
      const answer = (await this.redis.eval(TAKE, 1, `window:${key}`, limit, WINDOW_SECONDS)) as string[];
      const [now = 0, ...fields] = answer.map(Number);
      const seconds = fields.flatMap((second, i) => (i % 2 === 0 ? [[second, fields[i + 1] ?? 0] as const] : []));
      return verdict(
        seconds.sort(([a], [b]) => a - b),
        limit,
        now,
      );
    } catch (error) {
      this.complain(error);
      return this.fallback.take(key, limit);
    }
  }

  private complain(error: unknown): void {
    const now = performance.now();
    if (this.complainedAt && now - this.complainedAt < 10_000) return;
    this.complainedAt = now;
    this.logger.warn({ err: error }, 'rate limits: Redis does not answer, counting in process');
  }
}
