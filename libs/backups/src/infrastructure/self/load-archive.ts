import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Client } from 'pg';
import { from as copyFrom, type CopyStreamQuery } from 'pg-copy-streams';
import { extract } from 'tar-stream';
import {
  ARCHIVE_FORMAT,
  FIGURES,
  MANIFEST,
  SECRETS,
  tableOf,
  type ArchiveFigures,
  type ArchiveManifest,
  type ArchiveSecrets,
} from './archive-format.js';
import { emptyAgain, isEmpty, ownForeignKeys, ownTables } from './own-tables.js';
import { SelfRestoreRefused } from './self-restore-refused.js';

const JSON_BYTES = 4 * 2 ** 20;

export interface LoadedArchive {
  readonly manifest: ArchiveManifest;
  readonly secrets: ArchiveSecrets;
  readonly rows: number;
}

/** Creates the schema of the archive in the empty database, by applying exactly these migrations. */
export type MigrateTo = (migrations: readonly string[]) => Promise<unknown>;

/**
 * Fills an empty database from an archive, completely or not at all. The rows are counted and hashed while they are
 * loaded, and compared with the figures at the end of the archive.
 * @throws SelfRestoreRefused
 */
export async function loadArchive(client: Client, archive: Readable, migrateTo: MigrateTo): Promise<LoadedArchive> {
  if (!(await isEmpty(client)))
    throw new SelfRestoreRefused('The database is not empty. Create an empty one and name it by DATABASE_URL.');
  try {
    return await new ArchiveLoading(client, migrateTo).run(archive);
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    await emptyAgain(client);
    throw error;
  }
}

interface Entry extends AsyncIterable<unknown> {
  readonly header: { readonly name: string };
}

interface Loading {
  readonly table: string;
  readonly stream: CopyStreamQuery;
  readonly done: Promise<void>;
  readonly hash: Hash;
}

class ArchiveLoading {
  private manifest: ArchiveManifest | null = null;
  private secrets: ArchiveSecrets | null = null;
  private figures: ArchiveFigures | null = null;
  private loading: Loading | null = null;
  private readonly loaded = new Map<string, { rows: number; sha256: string }>();

  constructor(
    private readonly client: Client,
    private readonly migrateTo: MigrateTo,
  ) {}

  async run(archive: Readable): Promise<LoadedArchive> {
    const compressed = createGunzip();
    const entries = extract();
    archive.on('error', (error) => compressed.destroy(error));
    compressed.on('error', (error) => entries.destroy(error));
    archive.pipe(compressed).pipe(entries);
    for await (const entry of entries) await this.take(entry);
    await this.endTable();
    const { manifest, secrets, figures } = this;
    if (!manifest || !secrets || !figures) throw new SelfRestoreRefused('The file was cut off: its end is missing.');
    return { manifest, secrets, rows: await this.complete(manifest, figures) };
  }

  private async take(entry: Entry): Promise<void> {
    const { name } = entry.header;
    const table = tableOf(name);
    if (table !== null) return this.addRows(table, entry);
    await this.endTable();
    const content = await jsonOf(entry);
    if (name === MANIFEST) await this.begin(content as ArchiveManifest);
    else if (name === SECRETS) this.secrets = content as ArchiveSecrets;
    else if (name === FIGURES) this.figures = content as ArchiveFigures;
  }

  private async begin(manifest: ArchiveManifest): Promise<void> {
    if (manifest.format !== ARCHIVE_FORMAT)
      throw new SelfRestoreRefused('The file was written by a newer release: restore it with that one.');
    await this.migrateTo(manifest.migrations);
    await this.client.query('begin');
    const tables = await ownTables(this.client);
    // Tables are not ordered by their foreign keys, and the rows already contain the effects of the triggers.
    for (const { name, table } of await this.foreignKeys())
      await this.client.query(`alter table ${table} drop constraint ${name}`);
    for (const { name } of tables) await this.client.query(`alter table ${name} disable trigger user`);
    await this.client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`);
    this.manifest = manifest;
  }

  private keys: Awaited<ReturnType<typeof ownForeignKeys>> | null = null;

  private async foreignKeys(): Promise<Awaited<ReturnType<typeof ownForeignKeys>>> {
    return (this.keys ??= await ownForeignKeys(this.client));
  }

  private async addRows(table: string, entry: Entry): Promise<void> {
    if (this.loading?.table !== table) {
      await this.endTable();
      this.loading = this.beginTable(table);
    }
    const { stream, hash, done } = this.loading;
    for await (const chunk of entry as AsyncIterable<Buffer>) {
      hash.update(chunk);
      if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), done]);
    }
  }

  private beginTable(table: string): Loading {
    const known = this.manifest?.tables.find(({ name }) => name === table);
    if (!known) throw new SelfRestoreRefused(`The file has rows of ${table}, which it does not list.`);
    const stream = this.client.query(copyFrom(`copy ${table} (${known.columns.join(', ')}) from stdin`));
    const done = finished(stream);
    done.catch(() => undefined);
    return { table, stream, done, hash: createHash('sha256') };
  }

  private async endTable(): Promise<void> {
    if (!this.loading) return;
    const { table, stream, done, hash } = this.loading;
    this.loading = null;
    stream.end();
    await done;
    this.loaded.set(table, { rows: stream.rowCount, sha256: hash.digest('hex') });
  }

  private async complete(manifest: ArchiveManifest, figures: ArchiveFigures): Promise<number> {
    const nothing = { rows: 0, sha256: createHash('sha256').digest('hex') };
    let rows = 0;
    for (const { name } of manifest.tables) {
      const [expected, found] = [figures.tables[name], this.loaded.get(name) ?? nothing];
      if (expected?.rows !== found.rows || expected.sha256 !== found.sha256)
        throw new SelfRestoreRefused(`The rows of ${name} are not those that were backed up.`);
      rows += found.rows;
    }
    for (const [name, last] of Object.entries(figures.sequences))
      await this.client.query('select setval($1::regclass, $2::bigint)', [name, last]);
    for (const { table, name, definition } of await this.foreignKeys())
      await this.client.query(`alter table ${table} add constraint ${name} ${definition}`);
    for (const { name } of manifest.tables) await this.client.query(`alter table ${name} enable trigger user`);
    await this.client.query('commit');
    await this.client.query('analyze');
    return rows;
  }
}

async function jsonOf(entry: Entry): Promise<unknown> {
  const read: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of entry as AsyncIterable<Buffer>) {
    read.push(chunk);
    if ((bytes += chunk.length) > JSON_BYTES) throw new SelfRestoreRefused('The file is no backup of the panel.');
  }
  return JSON.parse(Buffer.concat(read).toString('utf8'));
}
