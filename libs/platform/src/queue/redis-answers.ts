import { Redis } from 'ioredis';
import { StartRefused } from '../start-refused.js';

const TIMEOUT_MS = 5_000;

/**
 * Checks once that Redis responds, if it is used. Without this check the queue would wait for it silently.
 * @throws StartRefused if it does not respond or refuses the connection
 */
export async function assertRedisAnswers(url: string | undefined): Promise<void> {
  if (!url) return;
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let reason = '';
  redis.on('error', (error: Error) => (reason = error.message));
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    reason ||= error instanceof Error ? error.message : String(error);
    throw new StartRefused(
      `Redis at REDIS_URL is not responding (${reason}). Check the address and that it is running.`,
    );
  } finally {
    redis.disconnect();
  }
}
