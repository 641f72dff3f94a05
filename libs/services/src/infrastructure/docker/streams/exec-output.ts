import { PassThrough, Writable } from 'node:stream';

const HEADER_BYTES = 8;
const STDERR = 2;
const TAIL_BYTES = 8 * 1024;

/** Splits the output of an exec. stdout is streamed with back-pressure; the end of stderr is kept. */
export class ExecOutput extends Writable {
  readonly stdout = new PassThrough();
  #rest: Buffer = Buffer.alloc(0);
  #tail: Buffer = Buffer.alloc(0);

  constructor(private readonly onStderr: (chunk: Buffer) => void = () => undefined) {
    super();
    // Nobody reads any more. Closing the connection ends the program at its next output.
    this.stdout.once('close', () => {
      if (!this.stdout.readableEnded) this.destroy(new Error('the output of the program is not read any more'));
    });
  }

  get stderrTail(): string {
    return this.#tail.toString('utf8');
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let hasRoom = true;
    while (bytes.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + bytes.readUInt32BE(4);
      if (bytes.length < end) break;
      const payload = bytes.subarray(HEADER_BYTES, end);
      if (bytes[0] === STDERR) this.#keep(payload);
      else hasRoom = this.stdout.write(payload);
      bytes = bytes.subarray(end);
    }
    this.#rest = Buffer.from(bytes);
    if (hasRoom) done();
    else this.stdout.once('drain', done);
  }

  #keep(payload: Buffer): void {
    this.#tail = Buffer.concat([this.#tail, payload]).subarray(-TAIL_BYTES);
    this.onStderr(payload);
  }

  override _final(done: () => void): void {
    if (this.#rest.length > 0) this.stdout.destroy(new Error('the output of the program was cut off'));
    else this.stdout.end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (error) this.stdout.destroy(error);
    done(error);
  }
}
