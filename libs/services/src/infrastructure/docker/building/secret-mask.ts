import type { SecretText } from '#kernel/crypto/secret-text';

const MASK = '***';
/** Shorter texts are not secrets, and masking them would hide half of the log. */
const MIN_MASKED_LENGTH = 4;
/** Maximum length of a line without an end. */
const MAX_LINE_LENGTH = 64 * 1024;

/** Removes secrets from the output of a build, as a whole and line by line. Holds back the last line until it ends. */
export class SecretMask {
  readonly #values: readonly string[];
  #open = '';

  constructor(
    secrets: Iterable<SecretText>,
    private readonly onOutput: (text: string) => void,
  ) {
    const parts = [...secrets].map((secret) => secret.reveal()).flatMap((text) => [text, ...text.split('\n')]);
    const values = new Set(parts.map((part) => part.trim()));
    this.#values = [...values].filter(({ length }) => length >= MIN_MASKED_LENGTH).sort((a, b) => b.length - a.length);
  }

  write(text: string): void {
    this.#open = this.masked(this.#open + text);
    const end = Math.max(this.#open.lastIndexOf('\n'), this.#open.lastIndexOf('\r')) + 1;
    // If only a part of a secret has arrived, it is in the rest that is held back.
    const isTooLong = this.#open.length - end > MAX_LINE_LENGTH;
    this.#say(isTooLong ? this.#open.length - (this.#values[0]?.length ?? 0) : end);
  }

  end(): void {
    this.#say(this.#open.length);
  }

  masked(text: string): string {
    return this.#values.reduce((left, value) => left.replaceAll(value, MASK), text);
  }

  #say(length: number): void {
    if (length <= 0) return;
    this.onOutput(this.#open.slice(0, length));
    this.#open = this.#open.slice(length);
  }
}
