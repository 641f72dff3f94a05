import { SecretText } from '#kernel/crypto/secret-text';
import { SecretMask } from './secret-mask.js';

describe('the mask over build secrets', () => {
  function said(secrets: readonly string[], ...parts: readonly string[]): string {
    let all = '';
    const mask = new SecretMask(
      secrets.map((text) => new SecretText(text)),
      (text) => (all += text),
    );
    for (const part of parts) mask.write(part);
    mask.end();
    return all;
  }

  it('covers them however the output is cut', () => {
    expect(said(['token-1'], 'a tok', 'en-1 b\nc token-1', '\n')).toBe('a *** b\nc ***\n');
    expect(said(['token-1'], `${'x'.repeat(70_000)}tok`, 'en-1')).toBe(`${'x'.repeat(70_000)}***`);
    expect(said([], 'a', 'b\n', 'c')).toBe('ab\nc');
  });

  it('covers each line of them, and the longer one of two first', () => {
    expect(said(['-----BEGIN\nabcdef\n'], 'abcdef\n-----BEGIN\n')).toBe('***\n***\n');
    expect(said(['token', 'token-long'], 'token-long token\n')).toBe('*** ***\n');
  });

  it('leaves very short ones, which are in every other word', () => {
    expect(said(['a\nb'], 'a b a\n')).toBe('a b a\n');
  });
});
