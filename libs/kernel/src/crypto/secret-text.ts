import { hash, timingSafeEqual } from 'node:crypto';
import { inspect } from 'node:util';

const REDACTED = '[redacted]';

/**
 * A secret in clear text. It prints as `[redacted]` everywhere. Only `reveal()` returns the text; call it only for the
 * one response or request that must carry it.
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

  /** Compares in constant time. */
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
