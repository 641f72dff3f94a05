import { hash, timingSafeEqual } from 'node:crypto';
import { inspect } from 'node:util';

const REDACTED = '[redacted]';

/**
 * A secret in clear. However it is printed, it shows `[redacted]`; only `reveal()` gives the text, and only the one
 * answer or request that must carry it calls that.
 */
export class SecretText {
  readonly #clear: string;

  constructor(clear: string) {
    this.#clear = clear;
  }

  reveal(): string {
    return this.#clear;
  }

  sha256(): Buffer {
    return hash('sha256', this.#clear, 'buffer');
  }

  /** Compares in a time that does not depend on where the texts differ. */
  equals(other: SecretText): boolean {
    return timingSafeEqual(this.sha256(), other.sha256());
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}
