import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { pack, type Pack } from 'tar-stream';
import {
  ARCHIVE_FORMAT,
  FIGURES,
  MANIFEST,
  pieceName,
  SECRETS,
  type ArchiveFigures,
  type ArchiveManifest,
  type ArchiveSecrets,
  type ArchiveTable,
} from './archive-format.js';
import { ownSequences, ownTables } from './own-tables.js';

const PIECE_BYTES = 2 ** 20;

/**
 * All rows of the panel's own database in one consistent state, and the key ring, as a compressed tar. Rows are read
 * with COPY instead of pg_dump, because pg_dump would have to be installed in the server's version. The definitions of
 * the tables are not needed, since the migrations create them.
 */
export function dumpArchive(client: Client, secrets: ArchiveSecrets, at: Date): Readable {
  const archive = pack();
  const compressed = createGzip({ level: 1 });
  archive.on('error', (error: Error) => compressed.destroy(error));
  writeArchive(client, archive, secrets, at).then(
    () => archive.finalize(),
    (error: unknown) => archive.destroy(error as Error),
  );
  return Readable.from(archive as AsyncIterable<Buffer>, { objectMode: false }).pipe(compressed);
}

async function writeArchive(client: Client, archive: Pack, secrets: ArchiveSecrets, at: Date): Promise<void> {
  await client.query('begin transaction isolation level repeatable read read only');
  const tables = await ownTables(client);
  await addJson(archive, MANIFEST, await manifestOf(client, tables, at));
  await addJson(archive, SECRETS, secrets);
  const figures: Record<string, { rows: number; sha256: string }> = {};
  for (const table of tables) figures[table.name] = await addRows(client, archive, table);
  // Sequences are not part of the snapshot. Reading them last makes sure that they are not behind the rows.
  await addJson(archive, FIGURES, { tables: figures, sequences: await ownSequences(client) } satisfies ArchiveFigures);
  await client.query('commit');
}

async function manifestOf(client: Client, tables: ArchiveTable[], at: Date): Promise<ArchiveManifest> {
  const { rows } = await client.query<{ name: string }>('select name from public.migrations order by id');
  const version = await client.query<{ server_version: string }>('show server_version');
  return {
    format: ARCHIVE_FORMAT,
    createdAt: at.toISOString(),
    postgresVersion: version.rows[0]!.server_version,
    migrations: rows.map(({ name }) => name),
    tables,
  };
}

async function addRows(
  client: Client,
  archive: Pack,
  { name, columns }: ArchiveTable,
): Promise<{ rows: number; sha256: string }> {
  const hash = createHash('sha256');
  const copying = client.query(copyTo(`copy ${name} (${columns.join(', ')}) to stdout`));
  let waiting: Buffer[] = [];
  let bytes = 0;
  let piece = 0;
  const flush = async () => {
    if (bytes > 0) await add(archive, pieceName(name, piece++), Buffer.concat(waiting));
    waiting = [];
    bytes = 0;
  };
  for await (const chunk of copying as AsyncIterable<Buffer>) {
    hash.update(chunk);
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes >= PIECE_BYTES) await flush();
  }
  await flush();
  return { rows: copying.rowCount, sha256: hash.digest('hex') };
}

const addJson = (archive: Pack, name: string, content: object) =>
  add(archive, name, Buffer.from(`${JSON.stringify(content, null, 1)}\n`));

function add(archive: Pack, name: string, content: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    archive.entry({ name, mode: 0o600 }, content, (error) => (error ? reject(error) : resolve()));
  });
}
