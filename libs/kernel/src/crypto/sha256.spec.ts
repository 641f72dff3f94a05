import { createHash } from 'node:crypto';
import { Sha256 } from './sha256.js';

describe('Sha256', () => {
  it('gives the hashes of the standard', () => {
    // FIPS 180-4: the empty message and "abc".
    expect(new Sha256().hex()).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(new Sha256().update('abc').hex()).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('does not depend on how the text is split', () => {
    const text = 'Zürich €\n'.repeat(20_000);
    const cut = new Sha256();
    for (let at = 0; at < text.length; at += 777) cut.update(text.slice(at, at + 777));
    expect(cut.hex()).toBe(createHash('sha256').update(text).digest('hex'));
    expect(new Sha256().update(text).update('').hex()).toBe(new Sha256().update('').update(text).hex());
  });
});
