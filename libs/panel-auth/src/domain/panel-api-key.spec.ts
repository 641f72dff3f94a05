import fc from 'fast-check';
import { inspect } from 'node:util';
import { SystemRandomness } from '#kernel/crypto/randomness';
import { PanelApiKey } from './panel-api-key.js';

const randomness = new SystemRandomness();

describe('a panel API key', () => {
  it('has the form pk_, 8 characters, _, 43 of secret and 6 of checksum', () => {
    expect(PanelApiKey.generate(randomness).secret.reveal()).toMatch(/^pk_[0-9A-Za-z]{8}_[\w-]{43}[0-9A-Za-z]{6}$/);
  });

  it('can be parsed again', () => {
    const key = PanelApiKey.generate(randomness);
    expect(PanelApiKey.parse(key.secret.reveal())?.sha256()).toEqual(key.sha256());
  });

  it('shows its first 11 characters as its prefix and nothing else when printed', () => {
    const key = PanelApiKey.generate(randomness);
    expect(key.prefix).toBe(key.secret.reveal().slice(0, 11));
    expect(inspect(key, { depth: 9, showHidden: true }) + JSON.stringify(key)).not.toContain(
      key.secret.reveal().slice(12),
    );
  });

  it('refuses a text with any one character changed', () => {
    const text = PanelApiKey.generate(randomness).secret.reveal();
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom(...'aZ09_-.'), (at, character) => {
        fc.pre(text[at] !== character);
        expect(PanelApiKey.parse(text.slice(0, at) + character + text.slice(at + 1))).toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    '',
    'pk_',
    'pcp_12345678',
    'pk_abcdefgh_',
    `pk_abcdefgh_${'a'.repeat(49)}`,
    `pk_abcdefgh_${'a'.repeat(50)}`,
  ])('does not parse %j', (text) => expect(PanelApiKey.parse(text)).toBeNull());

  it('refuses blanks and line ends around a key', () => {
    const text = PanelApiKey.generate(randomness).secret.reveal();
    for (const padded of [` ${text}`, `${text} `, `${text}\n`]) expect(PanelApiKey.parse(padded)).toBeNull();
  });
});
