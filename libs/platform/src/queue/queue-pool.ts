import pg from 'pg';
import { pooledConnection } from '../database/connections/pooled-connection.js';

/** The schema in which BullMQ keeps its tables. */
export const QUEUE_SCHEMA = 'bullmq';

/** The pool that every queue, worker and listener of this process shares. */
export function createQueuePool(connectionString: string, size: number): pg.Pool {
  return new pg.Pool({
    onConnect: pooledConnection(),
    connectionString,
    max: size,
    options: `-c search_path=${QUEUE_SCHEMA}`,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    application_name: 'tenantry-queue',
  });
}
