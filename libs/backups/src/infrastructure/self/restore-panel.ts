import type { Readable } from 'node:stream';
import pg from 'pg';
import type { KeyRing } from '#platform/key-ring';
import { openStream } from '../sealing/age-streams.js';
import { loadArchive, type LoadedArchive, type MigrateTo } from './load-archive.js';
import { ringIdentities } from './ring-identities.js';
import { SelfRestoreRefused } from './self-restore-refused.js';

export interface PanelRestore {
  readonly sealed: Readable;
  /** The database to restore into, which must be empty. */
  readonly databaseUrl: string;
  /** Opens the file, as does `identity`; one of the two is enough. */
  readonly keyRing: KeyRing | null;
  /** A private age key, `AGE-SECRET-KEY-1…`. */
  readonly identity: string | null;
  readonly migrateTo: MigrateTo;
}

/** Restores a backup of the panel into an empty database. @throws SelfRestoreRefused */
export async function restorePanel(restore: PanelRestore): Promise<LoadedArchive> {
  const { keyRing, identity, databaseUrl: connectionString } = restore;
  if (!keyRing && identity === null)
    throw new SelfRestoreRefused('Nothing opens the file: set SECRETS_KEYS, or name a private key by --identity.');
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const opened = openStream(restore.sealed, async () => [
      ...(identity === null ? [] : [identity]),
      ...(keyRing ? (await ringIdentities(keyRing)).map((own) => own.identity.reveal()) : []),
    ]);
    return await loadArchive(client, opened, restore.migrateTo);
  } catch (error) {
    throw refusalOf(error);
  } finally {
    await client.end();
  }
}

/** Translates the errors of age, gzip and tar about a wrong or damaged file; other errors are returned unchanged. */
function refusalOf(error: unknown): unknown {
  const message = String((error as { message?: unknown } | null)?.message);
  if (/no identity matched/.test(message))
    return new SelfRestoreRefused('Neither SECRETS_KEYS nor the private key of --identity opens this file.');
  if (/invalid header|invalid version|unexpected end of header/i.test(message))
    return new SelfRestoreRefused('The file is no backup of the panel.');
  if (/invalid tag|stream|unexpected end|incorrect header check|truncated|final chunk/i.test(message))
    return new SelfRestoreRefused('The file was cut off or changed.');
  return error;
}
