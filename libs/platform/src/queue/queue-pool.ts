import pg from 'pg';
import { pooledConnection } from '../database/connections/pooled-connection.js';

/** The schema in which BullMQ keeps its tables. */
export const QUEUE_SCHEMA = 'bullmq';

/** Queues and workers that one process may have on its pool. */
const MAX_QUEUES = 64;

/** The pool that every queue, worker and listener of this process shares. */
export function createQueuePool(connectionString: string, size: number): pg.Pool {
  const pool = new pg.Pool({
    onConnect: pooledConnection(),
    connectionString,
    max: size,
    options: `-c search_path=${QUEUE_SCHEMA}`,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    application_name: 'tenantry-queue',
  });
  // Each of our queues listens for its errors: more listeners than Node takes for a leak.
  pool.setMaxListeners(MAX_QUEUES);
  return pool;
}
