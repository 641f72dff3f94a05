import { BASE62, crc32Base62 } from '#kernel/crypto/base62';
import type { Randomness } from '#kernel/crypto/randomness';
import { SecretText } from '#kernel/crypto/secret-text';

const FORM = /^pcp_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/**
 * A partner's API token: `pcp_`, 30 random base62 characters, and the CRC-32 of those 30 as 6 base62 characters. The
 * checksum allows mistyped or invented tokens to be refused without a database query.
 */
export class ApiToken {
  private constructor(
    readonly secret: SecretText,
    /** The first 8 characters after `pcp_`, by which a person recognises the token in a list. */
    readonly prefix: string,
  ) {}

  static generate(randomness: Randomness): ApiToken {
    const random = randomness.text(30, BASE62);
    return new ApiToken(new SecretText(`pcp_${random}${crc32Base62(random)}`), random.slice(0, 8));
  }

  /** Null if the text is not a token: wrong form or wrong checksum. */
  static parse(text: string): ApiToken | null {
    const match = FORM.exec(text);
    if (!match?.[1] || crc32Base62(match[1]) !== match[2]) return null;
    return new ApiToken(new SecretText(text), match[1].slice(0, 8));
  }

  /** Stored instead of the token. */
  get hash(): Buffer {
    return this.secret.sha256();
  }
}
