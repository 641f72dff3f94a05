import { createHash } from 'node:crypto';

// Handing many short texts to the hash one by one costs more than hashing them.
const FLUSH_AT = 65_536;

/** SHA-256 over the UTF-8 bytes of a text that comes piece by piece; the borders of the pieces do not matter. */
export class Sha256 {
  readonly #hash = createHash('sha256');
  #pending = '';

  /** A piece must not end inside a surrogate pair. */
  update(text: string): this {
    this.#pending += text;
    if (this.#pending.length >= FLUSH_AT) this.#flush();
    return this;
  }

  /** 64 lower-case hexadecimal digits. Ends the text: it can be called once. */
  hex(): string {
    this.#flush();
    return this.#hash.digest('hex');
  }

  #flush(): void {
    this.#hash.update(this.#pending);
    this.#pending = '';
  }
}
