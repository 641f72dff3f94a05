import { Module, type DynamicModule } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { InProcessGcraStorage } from './gcra-storage.js';
import { RedisGcraStorage } from './redis-gcra-storage.js';
import { RedisSlidingWindows } from './redis-sliding-windows.js';
import { InProcessSlidingWindows, SlidingWindows } from './sliding-windows.js';

/** A rate as configured. */
export interface Rate {
  readonly perSecond: number;
  /** Requests allowed at once after a pause. At least 1. */
  readonly burst: number;
}

/** The rate in the throttler's own terms. */
export function gcra(rate: Rate): { limit: number; ttl: number } {
  const limit = Math.max(1, rate.burst);
  return { limit, ttl: (limit / rate.perSecond) * 1000 };
}

/** Where a process counts requests: in memory, or in Redis if several processes share it. */
export interface LimitStorage {
  readonly buckets: ThrottlerStorage;
  readonly windows: SlidingWindows;
  readonly close?: () => void;
}

export function limitStorage(redisUrl: string | undefined, logger: Logger): LimitStorage {
  if (!redisUrl) return { buckets: new InProcessGcraStorage(), windows: new InProcessSlidingWindows() };
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: 0, enableOfflineQueue: false, commandTimeout: 250 });
  redis.on('error', () => undefined); // logged by the storage
  return {
    buckets: new RedisGcraStorage(redis, logger),
    windows: new RedisSlidingWindows(redis, logger),
    close: () => redis.disconnect(),
  };
}

/** The storage for all limits of a process; the guards of each API use it directly. */
@Module({})
export class LimitsModule {
  static forRoot({ buckets, windows }: LimitStorage): DynamicModule {
    return {
      module: LimitsModule,
      global: true,
      providers: [
        { provide: ThrottlerStorage, useValue: buckets },
        { provide: SlidingWindows, useValue: windows },
      ],
      exports: [ThrottlerStorage, SlidingWindows],
    };
  }
}
