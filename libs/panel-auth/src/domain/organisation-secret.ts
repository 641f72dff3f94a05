import { Invalid } from '#kernel/errors';
import { textDefect } from '#kernel/text/plain-text';
import type { SecretText } from '#kernel/crypto/secret-text';

const MAX_NAME_LENGTH = 64;
const MAX_VALUE_BYTES = 65_536;

/** What may be shown of a secret: the value is never read back. */
export interface SecretRecord {
  readonly name: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The name by which a compose environment refers to the secret: `${secret:NAME}`. */
export function secretName(text: string): string {
  if (!/^[A-Z][A-Z0-9_]*$/.test(text) || text.length > MAX_NAME_LENGTH) {
    throw Invalid.field('name', `must be capital letters, digits and underscores, at most ${MAX_NAME_LENGTH}`);
  }
  return text;
}

/** @throws Invalid, without the value in it */
export function assertStorableValue(value: SecretText): void {
  const clear = value.reveal();
  if (clear === '') throw Invalid.field('value', 'must not be empty');
  if (Buffer.byteLength(clear) > MAX_VALUE_BYTES) {
    throw Invalid.field('value', `must not be longer than ${MAX_VALUE_BYTES} bytes`);
  }
  const defect = textDefect(clear);
  if (defect) throw Invalid.field('value', defect);
}
