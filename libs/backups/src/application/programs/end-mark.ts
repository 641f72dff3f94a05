import { Transform, type TransformCallback } from 'node:stream';
import { BackupFailed } from '../../domain/backup-errors.js';

/**
 * Passes on the output before the end mark, which the program's shell prints only after success. Fails when the output
 * does not end with the mark. The mark is needed because the engine may close a connection early without any error, so
 * the end of the stream alone does not prove that the output is complete.
 */
export class EndMark extends Transform {
  #held: Buffer = Buffer.alloc(0);
  readonly #mark: Buffer;

  /** @param ending resolves when the program has succeeded, and rejects with the error to pass on when it has not */
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
