import pg from 'pg';
import { pooledConnection } from '../database/connections/pooled-connection.js';

/** The schema of BullMQ's tables. */
export const QUEUE_SCHEMA = 'bullmq';

/** Maximum number of queues and workers on a process's pool. */
const MAX_QUEUES = 64;

/** The pool shared by every queue, worker and listener of this process. */
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
  // Each of our queues listens for its errors: more listeners than Node's leak warning allows.
  pool.setMaxListeners(MAX_QUEUES);
  return pool;
}
