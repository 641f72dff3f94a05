import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { StoredFile } from '../../application/ports/backup-store.js';

/** Passes on the bytes of a source, counts and hashes them, and records whether the source itself failed. */
export class MeasuredSource {
  readonly stream: Readable;
  /** Null unless the source itself has failed. Errors of the reader are not recorded. */
  failure: { readonly error: unknown } | null = null;
  #bytes = 0;
  readonly #hash: Hash = createHash('sha256');

  constructor(source: Readable) {
    // An error before anybody reads must not end the process; the reader gets it when it starts.
    source.on('error', () => undefined);
    this.stream = Readable.from(this.measured(source), { objectMode: false });
  }

  /** Must be called only once, after the stream has ended. */
  result(): StoredFile {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  private async *measured(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const chunks = source[Symbol.asyncIterator]();
    try {
      for (let next = await this.read(chunks); !next.done; next = await this.read(chunks)) {
        this.#bytes += next.value.length;
        this.#hash.update(next.value);
        yield next.value;
      }
    } finally {
      await chunks.return?.().catch(() => undefined);
    }
  }

  private async read(chunks: AsyncIterator<Buffer>): Promise<IteratorResult<Buffer>> {
    try {
      return await chunks.next();
    } catch (error) {
      // If the reader has failed, the source was only ended early.
      if (!this.stream.destroyed) this.failure = { error };
      throw error;
    }
  }
}

export async function measure(source: Readable): Promise<StoredFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    hash.update(chunk);
  }
  return { bytes, sha256: hash.digest('hex') };
}
