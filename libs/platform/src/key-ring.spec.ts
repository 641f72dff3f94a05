import { inspect } from 'node:util';
import fc from 'fast-check';
import { KeyRing, SealBroken, type SealContext } from './key-ring.js';

const K0 = Buffer.alloc(32, 7).toString('base64');
const K1 = Buffer.alloc(32, 9).toString('base64');
const older = KeyRing.parse(`k0:${K0}`);
const newer = KeyRing.parse(`k1:${K1},k0:${K0}`);
const place: SealContext = { purpose: 'session-tokens', table: 'panel_auth.sessions', column: 'tokens', rowId: 'r1' };

describe('sealing a value', () => {
  it('opens what it sealed, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
        expect(newer.open(newer.seal(Buffer.from(bytes), place), place)).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it('gives a different envelope each time, which does not contain the text', () => {
    const [one, two] = [newer.seal('a secret text', place), newer.seal('a secret text', place)];
    expect(one.equals(two)).toBe(false);
    expect(one.includes('a secret text')).toBe(false);
  });

  it('reveals nothing to an attacker who knows how a value begins, unlike a repeating key', () => {
    const known = Buffer.from('{"access_token":"eyJhbGciOiJSUzI1NiIs');
    const secret = Buffer.concat([known, Buffer.from('ImtpZCI6InRlc3QifQ.the-rest-of-the-token"}')]);
    const xor = (text: Buffer, key: Buffer) => Buffer.from(text.map((byte, i) => byte ^ key[i % key.length]!));
    /** Derives a repeating key from the known beginning and decrypts the whole value with it. */
    const attack = (stored: Buffer, keyBytes: number) =>
      xor(stored, xor(stored.subarray(0, keyBytes), known.subarray(0, keyBytes))).includes('the-rest-of-the-token');
    expect(attack(xor(secret, Buffer.alloc(32, 'k3y')), 32)).toBe(true);
    const envelope = newer.seal(secret, place);
    const ciphertext = envelope.subarray(envelope.length - 16 - secret.length, envelope.length - 16);
    for (let keyBytes = 1; keyBytes <= known.length; keyBytes++) expect(attack(ciphertext, keyBytes)).toBe(false);
  });

  it('refuses an envelope in which any single bit was changed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(), fc.nat(7), (bytes, at, bit) => {
        const envelope = newer.seal(Buffer.from(bytes), place);
        envelope[at % envelope.length]! ^= 1 << bit;
        expect(() => newer.open(envelope, place)).toThrow(SealBroken);
      }),
      { numRuns: 500 },
    );
  });

  it('refuses a truncated envelope of any length', () => {
    const envelope = newer.seal('text', place);
    for (let length = 0; length < envelope.length; length++) {
      expect(() => newer.open(envelope.subarray(0, length), place)).toThrow(SealBroken);
    }
  });

  it.each<[string, Partial<SealContext>]>([
    ['row', { rowId: 'r2' }],
    ['column', { column: 'other' }],
    ['table', { table: 'panel_auth.secrets' }],
    ['purpose', { purpose: 'organisation-secrets' }],
    ['split of table and column', { table: 'panel_auth.sessionst', column: 'okens' }],
  ])('refuses an envelope that was moved to another %s', (_what, change) => {
    expect(() => newer.open(newer.seal('text', place), { ...place, ...change })).toThrow(SealBroken);
  });

  it('refuses an envelope of a key that is not in the ring', () => {
    expect(() => older.open(newer.seal('text', place), place)).toThrow(SealBroken);
    const sameId = KeyRing.parse(`k1:${Buffer.alloc(32, 1).toString('base64')}`);
    expect(() => sameId.open(newer.seal('text', place), place)).toThrow(SealBroken);
  });
});

describe('rotating keys', () => {
  it('opens values of an older key and knows that they are stale', () => {
    const envelope = older.seal('text', place);
    expect(newer.open(envelope, place).toString()).toBe('text');
    expect(KeyRing.keyIdOf(envelope)).toBe('k0');
    expect(newer.isStale(envelope)).toBe(true);
  });

  it('seals with the first key of the setting', () => {
    expect(KeyRing.keyIdOf(newer.seal('text', place))).toBe('k1');
    expect(newer.isStale(newer.seal('text', place))).toBe(false);
  });

  it('finds no key id in bytes that are not an envelope', () => {
    expect(KeyRing.keyIdOf(Buffer.from('not an envelope'))).toBeNull();
    expect(KeyRing.keyIdOf(Buffer.alloc(0))).toBeNull();
  });
});

describe('the setting SECRETS_KEYS', () => {
  it.each([
    ['nothing', ''],
    ['an entry without an id', K0],
    ['an entry without a key', 'k0:'],
    ['a key that is too short', `k0:${Buffer.alloc(31).toString('base64')}`],
    ['a key that is too long', `k0:${Buffer.alloc(33).toString('base64')}`],
    ['a key that is not base64', `k0:${'!'.repeat(44)}`],
    ['one id twice', `k0:${K0},k0:${K1}`],
    ['one key under two ids', `k1:${K0},k0:${K0}`],
    ['an empty entry at the end', `k0:${K0},`],
    ['an id with odd characters', `k 0:${K0}`],
  ])('is refused for %s, by name and without the key', (_what, setting) => {
    const refusal = refusalOf(setting);
    expect(refusal).toMatch(/^SECRETS_KEYS: /);
    expect(refusal).not.toContain(K0.slice(0, 12));
    expect(refusal).not.toContain('!!!!');
  });

  it('shows no key when the ring is printed', () => {
    expect(inspect(newer, { depth: 9, showHidden: true }) + JSON.stringify(newer)).not.toContain(K1.slice(0, 12));
  });
});

function refusalOf(setting: string): string {
  try {
    KeyRing.parse(setting);
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
}
