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

/**
 * Passes on the stored bytes and fails at the end when their digest is not the recorded one. It keeps the last piece back
 * until then: a client that knows the length must not take other bytes of the same length for a whole file.
 */
class SameBytes extends Transform {
  readonly #hash = createHash('sha256');
  #last: Buffer | null = null;

  constructor(private readonly sha256: string | null) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(chunk);
    if (chunk.length === 0) return done();
    if (this.#last) this.push(this.#last);
    this.#last = chunk;
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.#hash.digest('hex') !== this.sha256) return done(new BackupFailed(CHANGED));
    done(null, this.#last);
  }
}

/** Reads the stored objects of backups, and checks them. */
@Injectable()
export class StoredCopies {
  constructor(
    readonly store: BackupStore,
    private readonly sealing: BackupSealing,
  ) {}

  /** The encrypted object as stored. The stream fails at its end when the bytes are not those that were written. */
  async sealed({ state }: Backup): Promise<Readable> {
    const stored = await this.store.open(state.storeKey);
    // An error before anybody reads must not end the process; the reader gets it when it starts.
    const same = new SameBytes(state.sha256).on('error', () => undefined);
    return pipeline(stored, same, () => undefined);
  }

  /** The decrypted dump. The stream fails when the stored bytes were changed or truncated. */
  async clear(backup: Backup): Promise<Readable> {
    return this.sealing.open(await this.sealed(backup));
  }

  /** Reads the whole object and compares its digest. @returns what is wrong, as a sentence; null when nothing is */
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

  /** Checks only existence and size, without reading the object. @returns like `defect` */
  async quickDefect({ state }: Backup): Promise<string | null> {
    const found = await this.store.head(state.storeKey);
    if (!found) return MISSING;
    return found.bytes === state.sizeBytes ? null : CHANGED;
  }
}

/** @throws the error itself when it says nothing about the stored object */
function lossOf(error: unknown): string {
  if (error instanceof StoredBackupMissing) return MISSING;
  if (error instanceof BackupFailed) return error.message;
  throw error;
}
