import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import type { Uuid } from '#kernel/crypto/uuid';
import { BackupFailed } from '../../domain/backup-errors.js';
import { BackupRecipients } from '../ports/backup-recipients.js';
import { BackupSealing } from '../ports/backup-sealing.js';
import { BackupStore, StoredBackupMissing, type StoredFile } from '../ports/backup-store.js';
import type { DatabaseLog } from './database-log.js';

const MISSING = 'A part of the archived log is no longer in the store.';
const CHANGED = 'A part of the archived log is not what was put into the store.';

export const segmentKey = (serviceId: Uuid, name: string): string => `services/${serviceId}/log/${name}.gz.age`;
export const baseKey = (serviceId: Uuid, id: Uuid, format: DatabaseLog['copyFormat']): string =>
  `services/${serviceId}/base/${id}.${format}.gz.age`;

/** Writes and reads base backups and segments in the store: compressed, then encrypted. */
@Injectable()
export class StoredLog {
  constructor(
    readonly store: BackupStore,
    private readonly sealing: BackupSealing,
    private readonly recipients: BackupRecipients,
  ) {}

  async put(key: string, plain: Readable, organisationId: Uuid | null): Promise<StoredFile> {
    const compressed = createGzip({ level: 1 });
    plain.on('error', (error) => compressed.destroy(error));
    compressed.on('close', () => plain.destroy());
    const recipients = await this.recipients.of(organisationId);
    return this.store.put(key, this.sealing.seal(plain.pipe(compressed), recipients));
  }

  /** Reads all of it. @returns what is wrong with it, as a sentence; null when it is what was put there */
  async defect(key: string, sha256: string): Promise<string | null> {
    try {
      for await (const _ of unchanged(await this.store.open(key), sha256));
      return null;
    } catch (error) {
      if (error instanceof StoredBackupMissing) return MISSING;
      if (error instanceof BackupFailed) return error.message;
      throw error;
    }
  }

  /** @param sha256 digest of the stored bytes; the stream fails when they have another one */
  async open(key: string, sha256: string): Promise<Readable> {
    const stored = await this.store.open(key).catch((error: unknown) => {
      throw error instanceof StoredBackupMissing ? new BackupFailed(MISSING) : error;
    });
    const opened = this.sealing.open(Readable.from(unchanged(stored, sha256), { objectMode: false }));
    const plain = createGunzip();
    opened.on('error', (error) => plain.destroy(error));
    plain.on('error', () => opened.destroy());
    return opened.pipe(plain);
  }
}

async function* unchanged(stored: AsyncIterable<Buffer>, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of stored) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== sha256) throw new BackupFailed(CHANGED);
}
