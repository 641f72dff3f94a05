import { isSensitive } from './sensitive-value.js';

describe('what is hidden in logs', () => {
  it.each([
    ['DB_PASSWORD', 'hunter2'],
    ['API_KEY', 'abcd'],
    ['DATABASE_URL', 'postgres://app:pw@db/app'],
    ['ANYTHING', 'canary-7f3a91'],
    ['SESSION_SECRET', 'a long sentence of words'],
  ])('%s=%s is hidden', (name, value) => {
    expect(isSensitive(name, value)).toBe(true);
  });

  it.each([
    ['NODE_ENV', 'production'],
    ['TAG', '1.27'],
    ['TOKEN_LIFETIME', '3600'],
    ['AUTH_ENABLED', 'true'],
    ['DB_PASSWORD', 'abc'],
    ['GREETING', 'good morning number 12'],
  ])('%s=%s is shown', (name, value) => {
    expect(isSensitive(name, value)).toBe(false);
  });
});
