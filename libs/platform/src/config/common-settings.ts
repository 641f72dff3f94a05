import { z } from 'zod';
import { positiveInteger, postgresUrl, redisUrl } from './setting-types.js';

/** Settings that every process has. */
export const commonSettings = {
  DATABASE_URL: postgresUrl,
  DATABASE_POOL_SIZE: positiveInteger(10),
  REDIS_URL: redisUrl.optional(),
  LISTEN_HOST: z.string().default('127.0.0.1'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'is not a log level')
    .default('info'),
};
