import { SecretText } from '#kernel/secret-text';
import { maskKey } from './masked-key.js';

it('shows an ellipsis and the last 6 characters of a key', () => {
  expect(maskKey(new SecretText('K7QF2M-9D4TPL-9F3K2A'))).toBe('…9F3K2A');
});
