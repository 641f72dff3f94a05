import { Transform, type TransformCallback } from 'node:stream';
import { BackupFailed } from '../../../domain/backup-errors.js';

const TRAILER = '-- Dump completed';
const TAIL_BYTES = 256;
/** The position is in the first lines of a dump. */
const HEAD_BYTES = 64 * 1024;

/** Passes on a dump, reads the position of its snapshot in the binary log, and fails unless its last line is there. */
export class DumpWatch extends Transform {
  #head = '';
  #tail = '';
  #isDecided = false;

  /** @param onPosition called once, before any data pass; with null when the dump does not contain a position */
  constructor(
    private readonly pattern: RegExp,
    private readonly onPosition: (position: string | null) => void,
  ) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (!this.#isDecided) {
      this.#head += chunk.toString('latin1');
      this.#decide(this.#head.length >= HEAD_BYTES);
    }
    this.#tail = (this.#tail + chunk.subarray(-TAIL_BYTES).toString('latin1')).slice(-TAIL_BYTES);
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    this.#decide(true);
    done(this.#tail.includes(TRAILER) ? null : new BackupFailed('The dump ends before its last line.'));
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#decide(true);
    done(error);
  }

  #decide(isLast: boolean): void {
    const found = this.pattern.exec(this.#head);
    if (this.#isDecided || (!found && !isLast)) return;
    this.#isDecided = true;
    this.onPosition(found ? `${found[1]}:${found[2]}` : null);
  }
}
