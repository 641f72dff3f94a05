import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { BackupFailed } from '../../../domain/backup-errors.js';

/** Passes a snapshot on, and fails at its end unless it is the one that the server made. */
export class ChecksumWatch extends Transform {
  readonly #hash = createHash('sha256');

  /** @param checksum what the server says of the file, in hexadecimal digits */
  constructor(private readonly checksum: string) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(chunk);
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    const isSame = this.#hash.digest('hex') === this.checksum.toLowerCase();
    done(isSame ? null : new BackupFailed('What was read of the snapshot is not what the server wrote.'));
  }
}
