import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { BackupFailed } from '../../../domain/backup-errors.js';

/** Passes on a snapshot, and fails at its end unless its checksum is the one that the server reported. */
export class ChecksumWatch extends Transform {
  readonly #hash = createHash('sha256');

  /** @param checksum SHA-256 of the file in hexadecimal digits, as reported by the server */
  constructor(private readonly checksum: string) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(chunk);
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    const isSame = this.#hash.digest('hex') === this.checksum.toLowerCase();
    done(isSame ? null : new BackupFailed('The snapshot that was read has another checksum than the server reported.'));
  }
}
