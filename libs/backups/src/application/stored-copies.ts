import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream';
import { finished } from 'node:stream/promises';
import { BackupFailed } from '../domain/backup-errors.js';
import type { Backup } from '../domain/backup.js';
import { BackupSealing } from './ports/backup-sealing.js';
import { BackupStore, StoredBackupMissing } from './ports/backup-store.js';

const MISSING = 'The backup is no longer in the store.';
const CHANGED = 'What lies in the store is not what was put there.';

/** Passes on what was stored, and fails at the end unless it is what was put there. */
class SameBytes extends Transform {
  readonly #hash = createHash('sha256');

  constructor(private readonly sha256: string | null) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(chunk);
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    done(this.#hash.digest('hex') === this.sha256 ? null : new BackupFailed(CHANGED));
  }
}

/** Backups as they lie in the store. */
@Injectable()
export class StoredCopies {
  constructor(
    readonly store: BackupStore,
    private readonly sealing: BackupSealing,
  ) {}

  /** Encrypted, as it was stored. It fails at its end when it is not what was put there. */
  async sealed({ state }: Backup): Promise<Readable> {
    const stored = await this.store.open(state.storeKey);
    // It may fail before anybody reads; the reader hears of it then.
    const same = new SameBytes(state.sha256).on('error', () => undefined);
    return pipeline(stored, same, () => undefined);
  }

  /** The dump itself. It fails when the stored bytes were changed or cut off. */
  async clear(backup: Backup): Promise<Readable> {
    return this.sealing.open(await this.sealed(backup));
  }

  /** Reads all of it. @returns what is wrong with it, as a sentence; null when it is what was put there */
  async defect(backup: Backup): Promise<string | null> {
    try {
      const stored = await this.sealed(backup);
      stored.resume();
      await finished(stored, { writable: false });
      return null;
    } catch (error) {
      return lossOf(error);
    }
  }

  /** Without reading it. @returns as `defect` */
  async quickDefect({ state }: Backup): Promise<string | null> {
    const found = await this.store.head(state.storeKey);
    if (!found) return MISSING;
    return found.bytes === state.sizeBytes ? null : CHANGED;
  }
}

/** @throws the error when it says nothing of what is stored */
function lossOf(error: unknown): string {
  if (error instanceof StoredBackupMissing) return MISSING;
  if (error instanceof BackupFailed) return error.message;
  throw error;
}
