import { BASE62, crc32Base62 } from '#kernel/crypto/base62';
import type { Randomness } from '#kernel/crypto/randomness';
import { SecretText } from '#kernel/crypto/secret-text';

const PUBLIC_ID_LENGTH = 8;
const SECRET_BYTES = 32;
const CHECKSUM_LENGTH = 6;
const FORM = /^pk_[0-9A-Za-z]{8}_[0-9A-Za-z_-]{43}[0-9A-Za-z]{6}$/;
const PREFIX_LENGTH = 'pk_'.length + PUBLIC_ID_LENGTH;

/**
 * A panel API key in clear text: `pk_`, a public id of 8 characters, `_`, 43 secret characters, and the CRC-32 of all
 * that as 6 characters. The checksum allows mistyped or invented keys to be refused without a database query; it has no
 * other protective value.
 */
export class PanelApiKey {
  private constructor(readonly secret: SecretText) {}

  static generate(randomness: Randomness): PanelApiKey {
    const publicId = randomness.text(PUBLIC_ID_LENGTH, BASE62);
    const body = `pk_${publicId}_${randomness.bytes(SECRET_BYTES).toString('base64url')}`;
    return new PanelApiKey(new SecretText(body + crc32Base62(body)));
  }

  /** Null if the text is not a panel key: wrong form or wrong checksum. */
  static parse(text: string): PanelApiKey | null {
    if (!FORM.test(text)) return null;
    const body = text.slice(0, -CHECKSUM_LENGTH);
    return crc32Base62(body) === text.slice(-CHECKSUM_LENGTH) ? new PanelApiKey(new SecretText(text)) : null;
  }

  /** The first 11 characters: enough to recognise a key in a list, and not secret. */
  get prefix(): string {
    return this.secret.reveal().slice(0, PREFIX_LENGTH);
  }

  /** Stored instead of the key. */
  sha256(): Buffer {
    return this.secret.sha256();
  }
}
