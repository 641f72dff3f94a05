/** A character of a JavaScript text takes at most three bytes; a surrogate pair, which is two, takes four. */
const MAX_BYTES = 3;

/**
 * Collects text as UTF-8 bytes. Many small pieces that are collected as one text are a web of small strings until
 * somebody reads it, and cost the garbage collector more than writing them does.
 */
export class Utf8Buffer {
  readonly #bytes: Buffer;
  #length = 0;

  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafe(capacity);
  }

  /** @returns false when the text might not fit: nothing of it was taken then */
  write(text: string): boolean {
    if (text.length * MAX_BYTES > this.#bytes.length - this.#length) return false;
    this.#length += this.#bytes.write(text, this.#length);
    return true;
  }

  /** What was written since the last time. The bytes are good until the next call of `write`. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return taken;
  }
}

const CHUNK = 65_536;

/** As much text as comes, as UTF-8 bytes in chunks. */
export class Utf8Chunks {
  #chunks: Buffer[] = [];
  readonly #filling = new Utf8Buffer(CHUNK);
  /** Bytes, those in the chunk that is being filled left out. */
  size = 0;

  add(text: string): void {
    if (this.#filling.write(text)) return;
    this.#keep(Buffer.from(this.#filling.take()));
    if (!this.#filling.write(text)) this.#keep(Buffer.from(text));
  }

  /** What was added since the last time. */
  take(): Buffer[] {
    this.#keep(Buffer.from(this.#filling.take()));
    const chunks = this.#chunks;
    this.#chunks = [];
    this.size = 0;
    return chunks;
  }

  #keep(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.size += chunk.length;
  }
}
