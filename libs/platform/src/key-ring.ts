import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { SecretText } from '#kernel/crypto/secret-text';

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;
const CIPHER = 'aes-256-gcm';

/** Where a sealed value is stored. It opens only there: a value copied to another row, column or purpose is refused. */
export interface SealContext {
  /** What the value is for, such as `session-tokens`; every purpose has its own key. */
  readonly purpose: string;
  /** `schema.table` */
  readonly table: string;
  readonly column: string;
  readonly rowId: string;
}

/** Thrown whenever opening fails. It does not reveal the reason. */
export class SealBroken extends Error {
  constructor() {
    super('the sealed value cannot be opened');
    this.name = 'SealBroken';
  }
}

/**
 * Authenticated encryption of stored values, with replaceable keys. An envelope is: version byte, length of the key id,
 * key id, 12 random bytes, ciphertext, 16-byte tag.
 */
export class KeyRing {
  readonly #masters: ReadonlyMap<string, Buffer>;
  readonly #derived = new Map<string, Buffer>();

  private constructor(
    masters: ReadonlyMap<string, Buffer>,
    /** The key that seals new values. */
    readonly activeKeyId: string,
    /** The setting that it was parsed from. Only for the backup of the key ring itself. */
    readonly setting: SecretText,
  ) {
    this.#masters = masters;
  }

  /**
   * Parses the setting SECRETS_KEYS: `k1:<base64 of 32 bytes>,k0:<...>`, the newest first.
   * @throws Error that names the setting and the key id, and shows no key
   */
  static parse(setting: string): KeyRing {
    const masters = new Map<string, Buffer>();
    for (const [index, entry] of setting.split(',').entries()) {
      const separator = entry.indexOf(':');
      const id = entry.slice(0, Math.max(separator, 0)).trim();
      if (!KEY_ID.test(id)) throw new Error(`SECRETS_KEYS: entry ${index + 1} must be <key id>:<base64 of 32 bytes>`);
      if (masters.has(id)) throw new Error(`SECRETS_KEYS: key id ${id} is given twice`);
      masters.set(id, decodeKey(id, entry.slice(separator + 1).trim(), masters));
    }
    return new KeyRing(masters, masters.keys().next().value!, new SecretText(setting));
  }

  seal(plaintext: Buffer | string, context: SealContext): Buffer {
    const header = Buffer.concat([
      Buffer.from([VERSION, Buffer.byteLength(this.activeKeyId)]),
      Buffer.from(this.activeKeyId),
    ]);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.keyFor(this.activeKeyId, context.purpose), nonce);
    cipher.setAAD(associatedData(header, context));
    const body = Buffer.concat([cipher.update(plaintext), cipher.final()]);
    return Buffer.concat([header, nonce, body, cipher.getAuthTag()]);
  }

  /** @throws SealBroken for a changed, foreign or truncated envelope, or an unknown key, without distinction */
  open(envelope: Buffer, context: SealContext): Buffer {
    const parts = dissect(envelope);
    if (!parts || !this.#masters.has(parts.keyId)) throw new SealBroken();
    const decipher = createDecipheriv(CIPHER, this.keyFor(parts.keyId, context.purpose), parts.nonce, {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(associatedData(parts.header, context));
    decipher.setAuthTag(parts.tag);
    try {
      return Buffer.concat([decipher.update(parts.body), decipher.final()]);
    } catch {
      throw new SealBroken();
    }
  }

  /** The key that sealed an envelope, even if it is no longer in the ring; null if this is not an envelope. */
  static keyIdOf(envelope: Buffer): string | null {
    return dissect(envelope)?.keyId ?? null;
  }

  /** True if the envelope should be sealed again with the newest key. */
  isStale(envelope: Buffer): boolean {
    return KeyRing.keyIdOf(envelope) !== this.activeKeyId;
  }

  /** Derives a 32-byte key for the purpose from each key of the ring, newest first. */
  derive(purpose: string): Buffer[] {
    return [...this.#masters.keys()].map((id) => Buffer.from(this.keyFor(id, `derived:${purpose}`)));
  }

  private keyFor(keyId: string, purpose: string): Buffer {
    const name = `${keyId}\0${purpose}`;
    let key = this.#derived.get(name);
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', this.#masters.get(keyId)!, '', `tenantry:${purpose}`, KEY_BYTES));
      this.#derived.set(name, key);
    }
    return key;
  }
}

function decodeKey(id: string, text: string, earlier: ReadonlyMap<string, Buffer>): Buffer {
  const key = Buffer.from(text, 'base64');
  // Node skips characters that are not base64, so the text is valid only if it encodes back to itself.
  if (key.toString('base64').replace(/=+$/, '') !== text.replace(/=+$/, '')) {
    throw new Error(`SECRETS_KEYS: key ${id} is not base64`);
  }
  if (key.length !== KEY_BYTES) throw new Error(`SECRETS_KEYS: key ${id} has ${key.length} bytes, 32 are needed`);
  for (const [other, bytes] of earlier) {
    if (bytes.equals(key)) throw new Error(`SECRETS_KEYS: keys ${other} and ${id} are the same`);
  }
  return key;
}

interface EnvelopeParts {
  readonly header: Buffer;
  readonly keyId: string;
  readonly nonce: Buffer;
  readonly body: Buffer;
  readonly tag: Buffer;
}

function dissect(envelope: Buffer): EnvelopeParts | null {
  const idLength = envelope[1] ?? 0;
  const nonceAt = 2 + idLength;
  if (envelope[0] !== VERSION || envelope.length < nonceAt + NONCE_BYTES + TAG_BYTES) return null;
  const keyId = envelope.subarray(2, nonceAt).toString('latin1');
  if (!KEY_ID.test(keyId)) return null;
  return {
    header: envelope.subarray(0, nonceAt),
    keyId,
    nonce: envelope.subarray(nonceAt, nonceAt + NONCE_BYTES),
    body: envelope.subarray(nonceAt + NONCE_BYTES, envelope.length - TAG_BYTES),
    tag: envelope.subarray(envelope.length - TAG_BYTES),
  };
}

/** Every part is preceded by its length, so that no two contexts give the same bytes. */
function associatedData(header: Buffer, context: SealContext): Buffer {
  const parts = [context.purpose, context.table, context.column, context.rowId].map((text) => Buffer.from(text));
  return Buffer.concat([header, ...parts.flatMap((part) => [lengthOf(part), part])]);
}

function lengthOf(part: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(part.length);
  return length;
}
