import { createHash } from 'node:crypto';
import { Utf8Buffer } from './utf8-buffer.js';

// Handing many short texts to the hash one by one costs more than hashing them.
const FLUSH_AT = 32_768;

/** SHA-256 over the UTF-8 bytes of a text that comes piece by piece; the borders of the pieces do not matter. */
export class Sha256 {
  readonly #hash = createHash('sha256');
  /** Many texts come in one piece, which needs no buffer. */
  #first: string | null = null;
  #pending: Utf8Buffer | null = null;

  /** A piece must not end inside a surrogate pair. */
  update(text: string): this {
    if (this.#first === null) {
      this.#first = text;
      return this;
    }
    if (!this.#pending) {
      this.#pending = new Utf8Buffer(FLUSH_AT);
      this.#add(this.#first, this.#pending);
    }
    this.#add(text, this.#pending);
    return this;
  }

  /** 64 lower-case hexadecimal digits. Ends the text: it can be called once. */
  hex(): string {
    if (this.#pending) this.#hash.update(this.#pending.take());
    else if (this.#first !== null) this.#hash.update(this.#first);
    return this.#hash.digest('hex');
  }

  #add(text: string, pending: Utf8Buffer): void {
    if (pending.write(text)) return;
    this.#hash.update(pending.take());
    if (!pending.write(text)) this.#hash.update(text);
  }
}
