import type { Randomness } from '#kernel/crypto/randomness';
import { SecretText } from '#kernel/crypto/secret-text';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 32;

/** 32 letters and digits, 190 bits: safe in addresses, configuration files and SQL without quoting. */
export function generatedPassword(randomness: Randomness): SecretText {
  return new SecretText(randomness.text(LENGTH, ALPHABET));
}
