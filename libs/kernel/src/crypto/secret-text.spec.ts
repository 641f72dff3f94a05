import { format, inspect } from 'node:util';
import { SecretText } from './secret-text.js';

const secret = new SecretText('pcp_letmein');

describe('SecretText', () => {
  it('prints as [redacted] in every way in which a log could print it', () => {
    const nested = { headers: [secret] };
    const printed = [
      String(secret),
      `${secret.toString()}`,
      inspect(nested, { depth: 9, showHidden: true }),
      format('%s %o %j', secret, secret, secret),
      JSON.stringify(nested),
    ];
    for (const text of printed) {
      expect(text).toContain('[redacted]');
      expect(text).not.toContain('letmein');
    }
  });

  it('returns the clear text only from reveal()', () => {
    expect(secret.reveal()).toBe('pcp_letmein');
  });

  it('is stored as its SHA-256', () => {
    // printf abc | sha256sum
    expect(new SecretText('abc').sha256().toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });

  it('compares by text, whatever the lengths', () => {
    expect(secret.equals(new SecretText('pcp_letmein'))).toBe(true);
    expect(secret.equals(new SecretText('pcp_letmei'))).toBe(false);
  });
});
