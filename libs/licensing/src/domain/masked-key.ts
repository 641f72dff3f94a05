import type { SecretText } from '#kernel/secret-text';

/** An ellipsis and the last 6 characters: all that is ever kept of a license key. */
export function maskKey(key: SecretText): string {
  return `…${key.reveal().slice(-6)}`;
}
