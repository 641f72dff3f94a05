import type { Randomness } from '#kernel/crypto/randomness';
import { SecretText } from '#kernel/crypto/secret-text';

/** Crockford's base 32: no I, L, O and U, so that a key can be read aloud and copied by hand. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUP = 6;
const RANDOM_CHARACTERS = 26;
const CHECK_CHARACTERS = 4;
const GROUPS = new RegExp(`.{${GROUP}}`, 'g');
const FORM = new RegExp(`^[${ALPHABET}]{${RANDOM_CHARACTERS + CHECK_CHARACTERS}}$`);
const READ_AS: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' };

/**
 * A license key of our own license service: 26 random characters (130 bits) and a checksum of 4, in five groups of six.
 * The checksum detects mistyped keys without a look-up.
 */
export class LicenseKey {
  private constructor(readonly secret: SecretText) {}

  static generate(randomness: Randomness): LicenseKey {
    const random = randomness.text(RANDOM_CHARACTERS, ALPHABET);
    return new LicenseKey(new SecretText(grouped(`${random}${checksum(random)}`)));
  }

  /**
   * Parses what a person typed: case, spaces and dashes do not matter, O is read as 0, I and L as 1.
   * @returns null if it is not a key: wrong form or wrong checksum
   */
  static parse(text: string): LicenseKey | null {
    const characters = canonicalCharacters(text);
    if (!FORM.test(characters)) return null;
    if (checksum(characters.slice(0, RANDOM_CHARACTERS)) !== characters.slice(RANDOM_CHARACTERS)) return null;
    return new LicenseKey(new SecretText(grouped(characters)));
  }

  /** A key of any origin: one of ours in canonical form, any other as it is. */
  static of(given: SecretText): LicenseKey {
    return LicenseKey.parse(given.reveal()) ?? new LicenseKey(given);
  }

  /** Stored instead of the key. */
  get hash(): Buffer {
    return this.secret.sha256();
  }
}

/** The masked form of any key: an ellipsis and its last 6 characters. */
export function maskKey(key: SecretText): string {
  const clear = [...key.reveal()];
  // A key of up to 6 characters would be shown completely.
  return clear.length <= 6 ? '…' : `…${clear.slice(-6).join('')}`;
}

function canonicalCharacters(text: string): string {
  return text
    .toUpperCase()
    .replace(/[\s-]+/g, '')
    .replace(/[OIL]/g, (character) => READ_AS[character] ?? character);
}

function grouped(characters: string): string {
  return characters.match(GROUPS)!.join('-');
}

/** The first 20 bits of SHA-256: one in a million mistyped keys passes. */
function checksum(random: string): string {
  let bits = new SecretText(`tenantry license key ${random}`).sha256().readUIntBE(0, 3) >>> 4;
  let characters = '';
  for (let i = 0; i < CHECK_CHARACTERS; i++) {
    characters = `${ALPHABET[bits & 31]}${characters}`;
    bits >>>= 5;
  }
  return characters;
}
