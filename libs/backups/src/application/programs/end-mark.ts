import { Transform, type TransformCallback } from 'node:stream';
import { BackupFailed } from '../../domain/backup-errors.js';

/**
 * Passes on what stands before a mark that the program's shell prints after success alone, and fails unless the output
 * ends with it. An engine may close a connection early without any error: its end proves nothing.
 */
export class EndMark extends Transform {
  #held: Buffer = Buffer.alloc(0);
  readonly #mark: Buffer;

  /** @param ending what the program itself must have ended with, besides */
  constructor(
    mark: string,
    private readonly ending: () => Promise<unknown>,
  ) {
    super();
    this.#mark = Buffer.from(mark);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const keep = Math.max(0, bytes.length - this.#mark.length);
    this.#held = Buffer.from(bytes.subarray(keep));
    if (keep === 0) done();
    else done(null, bytes.subarray(0, keep));
  }

  override _flush(done: TransformCallback): void {
    this.ending().then(
      () =>
        done(this.#held.equals(this.#mark) ? null : new BackupFailed('The output of the dump program was cut off.')),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    );
  }
}
