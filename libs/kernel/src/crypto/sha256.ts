import { createHash, hash, type Hash } from 'node:crypto';
import { Utf8Buffer } from '../text/utf8-buffer.js';

// Passing many short strings to the hash one by one costs more than hashing them.
const FLUSH_AT = 32_768;

/** SHA-256 over the UTF-8 bytes of a text that arrives in pieces. Where the pieces are split does not matter. */
export class Sha256 {
  /** A text that arrives in one piece, as many do, is hashed in one call without a buffer. */
  #first: string | null = null;
  #pending: Utf8Buffer | null = null;
  #hash: Hash | null = null;

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

  /** Returns 64 lower-case hexadecimal digits and ends the text. Call it once. */
  hex(): string {
    if (!this.#pending) return hash('sha256', this.#first ?? '');
    return this.#stream().update(this.#pending.take()).digest('hex');
  }

  #add(text: string, pending: Utf8Buffer): void {
    if (pending.write(text)) return;
    this.#stream().update(pending.take());
    if (!pending.write(text)) this.#stream().update(text);
  }

  #stream(): Hash {
    return (this.#hash ??= createHash('sha256'));
  }
}
