import { BullModule, WorkerHost } from '@nestjs/bullmq';
import {
  Injectable,
  Module,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { createPostgresBackend, createRedisBackend, setDefaultBackendFactory, type ConnectionOptions } from 'bullmq';
import type pg from 'pg';
import { QueueErrors } from './queue-errors.js';
import { createQueuePool } from './queue-pool.js';

export interface QueueOptions {
  readonly databaseUrl: string;
  readonly redisUrl: string | undefined;
  /** Connections to PostgreSQL: each worker of the process keeps one for listening. */
  readonly poolSize: number;
}

class QueuePool {
  constructor(readonly pool: pg.Pool | null) {}
}

/**
 * Closes workers and pool in the right order. Nest closes workers in onApplicationShutdown, modules nearest the root
 * first, so a pool closed there could be gone before running jobs finish. Workers are therefore drained one phase
 * earlier.
 */
@Injectable()
class QueueShutdown implements BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly pool: QueuePool,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    const hosts = this.discovery
      .getProviders()
      .map((wrapper) => wrapper.instance as unknown)
      .filter((instance): instance is WorkerHost => instance instanceof WorkerHost);
    await Promise.all(hosts.map((host) => host.worker.close()));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.pool?.end();
  }
}

/** The only place that decides where jobs are stored: in PostgreSQL, or in Redis if configured. */
@Module({})
export class QueueModule {
  static forRoot(options: QueueOptions): DynamicModule {
    const { connection, pool } = connectQueue(options);
    return {
      module: QueueModule,
      global: true,
      imports: [
        DiscoveryModule,
        BullModule.forRoot({
          connection,
          defaultJobOptions: {
            attempts: 3,
            backoff: { type: 'exponential', delay: 200, jitter: 0.2 },
            removeOnComplete: 1_000,
            removeOnFail: 5_000,
          },
        }),
      ],
      providers: [{ provide: QueuePool, useValue: new QueuePool(pool) }, QueueShutdown, QueueErrors],
      exports: [BullModule],
    };
  }
}

export function connectQueue(options: QueueOptions): { connection: ConnectionOptions; pool: pg.Pool | null } {
  if (options.redisUrl) {
    setDefaultBackendFactory(createRedisBackend);
    return { connection: { url: options.redisUrl }, pool: null };
  }
  setDefaultBackendFactory(createPostgresBackend as Parameters<typeof setDefaultBackendFactory>[0]);
  const pool = createQueuePool(options.databaseUrl, options.poolSize);
  // A lost idle connection is replaced at the next use; without a listener it would end the process.
  pool.on('error', () => undefined);
  return { connection: pool, pool };
}
