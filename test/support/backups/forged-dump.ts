import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { INestApplicationContext } from '@nestjs/common';
import type pg from 'pg';
import { BackupSealing } from '#libs/backups';

/** Replaces the dump of a backup, with matching size and hash in its record. */
export async function forgeDump(
  app: INestApplicationContext,
  { backupId, file, dump }: { readonly backupId: string; readonly file: string; readonly dump: Buffer },
  panelDatabase: pg.Client,
): Promise<void> {
  const hash = createHash('sha256');
  let bytes = 0;
  const sealed = app.get(BackupSealing, { strict: false }).seal(Readable.from([dump]), []);
  sealed.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    hash.update(chunk);
  });
  await pipeline(sealed, createWriteStream(file));
  const figures = [backupId, bytes, hash.digest('hex')];
  for (const table of ['backups', 'wal_bases'])
    await panelDatabase.query(`update backups.${table} set size_bytes = $2, sha256 = $3 where id = $1`, figures);
}
