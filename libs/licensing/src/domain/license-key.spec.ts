import fc from 'fast-check';
import { SystemRandomness } from '#kernel/crypto/randomness';
import { SecretText } from '#kernel/crypto/secret-text';
import { LicenseKey, maskKey } from './license-key.js';

const randomness = new SystemRandomness();

describe('a license key', () => {
  it('has five groups of six characters without I, L, O and U', () => {
    const key = LicenseKey.generate(randomness).secret.reveal();
    expect(key).toMatch(/^([0-9A-HJKMNP-TV-Z]{6}-){4}[0-9A-HJKMNP-TV-Z]{6}$/);
  });

  it('has 130 random bits in its first 26 characters', () => {
    const asked: number[] = [];
    const watched = new SystemRandomness();
    watched.text = (length, alphabet) => {
      asked.push(length * Math.log2(new Set(alphabet).size));
      return alphabet.slice(0, length);
    };
    LicenseKey.generate(watched);
    expect(asked).toEqual([130]);
  });

  it('is accepted in lower case, without dashes, with spaces, and with O and L for 0 and 1', () => {
    const key = LicenseKey.generate(randomness);
    const clear = key.secret.reveal();
    const spoken = clear.replaceAll('0', 'o').replaceAll('1', 'l').toLowerCase().replaceAll('-', ' ');
    for (const text of [clear, clear.replaceAll('-', ''), spoken, `  ${clear}\n`]) {
      expect(LicenseKey.parse(text)?.hash.equals(key.hash)).toBe(true);
    }
  });

  it('is refused with one wrong character', () => {
    const clear = LicenseKey.generate(randomness).secret.reveal().replaceAll('-', '');
    const alphabet = [...'0123456789ABCDEFGHJKMNPQRSTVWXYZ'];
    let accepted = 0;
    for (let at = 0; at < clear.length; at++) {
      for (const other of alphabet) {
        if (other === clear[at]) continue;
        if (LicenseKey.parse(clear.slice(0, at) + other + clear.slice(at + 1))) accepted++;
      }
    }
    // 930 keys with one wrong character; each passes the checksum with a chance of one in a million.
    expect(accepted).toBeLessThanOrEqual(1);
  });

  it('is not any other text', () => {
    fc.assert(fc.property(fc.string({ maxLength: 60 }), (text) => LicenseKey.parse(text) === null));
  });

  it('never repeats', () => {
    const keys = Array.from({ length: 1_000 }, () => LicenseKey.generate(randomness).secret.reveal());
    expect(new Set(keys).size).toBe(1_000);
  });

  it('is shown as an ellipsis and its last 6 characters', () => {
    expect(maskKey(new SecretText('AB12CD-34EF56-78GH90-AAAAAA-7Q2XYZ'))).toBe('…7Q2XYZ');
  });

  it('of another service is masked in the same way, and completely if it has at most 6 characters', () => {
    expect(maskKey(new SecretText('C1B6DE-39A6E3-DE1529-8559A0-4AF593-V3'))).toBe('…593-V3');
    expect(maskKey(new SecretText('SHORT1'))).toBe('…');
  });
});
