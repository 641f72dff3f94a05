import pg from 'pg';
import type { DataSource } from 'typeorm';

const CONNECT_TIMEOUT_MS = 5_000;

/** A connection to the same database that sends statements without waiting for the answers to earlier ones. */
export function pipelinedClient(dataSource: DataSource, settings: pg.ClientConfig): pg.Client {
  const { url, applicationName } = dataSource.options as { url?: string; applicationName?: string };
  return new pg.Client({
    connectionString: url,
    pipeline: true,
    keepAlive: true,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...settings,
  });
}
