import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { serverCanEnter, startEmbeddedPostgres } from './embedded-postgres.mjs';
import { explain, Refusal } from '../refusal.mjs';

const CONNECT_PATIENCE_MS = 5_000;

/**
 * Where the embedded database keeps its data: in the instance's folder. If run as root in a checkout that the
 * database's account cannot enter, in a folder for this checkout under /var/tmp.
 */
export function databaseHome(folder) {
  if (serverCanEnter(folder)) return path.join(folder, 'postgres');
  const checkout = createHash('sha256').update(fs.realpathSync(folder)).digest('hex').slice(0, 12);
  return `/var/tmp/tenantry-data-${checkout}`;
}

/** Starts the embedded database; a supervised process with the application's `url`. */
export const launchDatabase = (folder, port) =>
  startEmbeddedPostgres({
    home: databaseHome(folder),
    port,
    logFile: path.join(folder, 'logs', 'postgres.log'),
    settings: { max_connections: 200 },
  });

/** Refuses a DATABASE_URL that does not respond, before anything is started on it. */
export async function refuseUnreachable(url) {
  const cure = 'start that server or correct DATABASE_URL, or unset it to use the embedded one';
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new Refusal(`DATABASE_URL is not a postgres:// URL: ${cure}`);
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_PATIENCE_MS });
  client.on('error', () => {}); // reported by connect
  try {
    await client.connect();
  } catch (error) {
    const { host, pathname } = new URL(url);
    throw new Refusal(`DATABASE_URL: no connection to ${host}${pathname} (${reasonOf(error)}): ${cure}`);
  } finally {
    await client.end().catch(() => {});
  }
}

/** A refused connection to a name with several addresses is an AggregateError without a message. */
const reasonOf = (error) => error.message || error.code || explain(error.errors?.[0] ?? error);
