/** A UTF-16 code unit takes at most three bytes in UTF-8; a surrogate pair, which is two, takes four. */
const MAX_BYTES = 3;

/**
 * Collects text as UTF-8 bytes. Concatenating many small strings builds a tree of them in memory, which costs the
 * garbage collector more than writing the bytes.
 */
export class Utf8Buffer {
  readonly #bytes: Buffer;
  #length = 0;

  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafe(capacity);
  }

  /** @returns false if the text might not fit; nothing is written then */
  write(text: string): boolean {
    if (text.length * MAX_BYTES > this.#bytes.length - this.#length) return false;
    this.#length += this.#bytes.write(text, this.#length);
    return true;
  }

  /** The bytes written since the last call. They are valid until the next call of `write`. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return taken;
  }
}

const CHUNK = 65_536;

/** Collects any amount of text as UTF-8 bytes, in chunks. */
export class Utf8Chunks {
  #chunks: Buffer[] = [];
  readonly #filling = new Utf8Buffer(CHUNK);
  /** Number of bytes, without those in the chunk that is being filled. */
  size = 0;

  add(text: string): void {
    if (this.#filling.write(text)) return;
    this.#keep(Buffer.from(this.#filling.take()));
    if (!this.#filling.write(text)) this.#keep(Buffer.from(text));
  }

  /** The bytes added since the last call. */
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
