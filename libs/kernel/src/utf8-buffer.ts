/** A character of a JavaScript text takes at most three bytes; a surrogate pair, which is two, takes four. */
const MOST_BYTES = 3;

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
    if (text.length * MOST_BYTES > this.#bytes.length - this.#length) return false;
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
