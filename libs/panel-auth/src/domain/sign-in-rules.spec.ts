import { SecretText } from '#kernel/crypto/secret-text';
import { organisationName } from './organisation.js';
import { assertStorableValue, secretName } from './organisation-secret.js';
import { hasExpired, sessionExpiry } from './session.js';
import { normalisedEmail, roleAfterSignIn, type RolePolicy } from './user.js';

const now = new Date('2026-03-01T12:00:00Z');

describe('the end of a session', () => {
  const seconds = (expiresIn: number | null) => (sessionExpiry(now, expiresIn).getTime() - now.getTime()) / 1000;

  it.each([
    [3_600, 3_600],
    [null, 900],
    [Number.NaN, 900],
    [Number.POSITIVE_INFINITY, 900],
    [0, 0],
    [-5, 900],
    [3, 3],
    [86_400, 86_400],
    [10 ** 12, 315_360_000],
  ])('for expires_in %s is after %s seconds', (expiresIn, expected) => {
    expect(seconds(expiresIn)).toBe(expected);
  });

  it('is the first instant at which the session is invalid', () => {
    expect(hasExpired({ expiresAt: now }, now)).toBe(true);
    expect(hasExpired({ expiresAt: now }, new Date(now.getTime() - 1))).toBe(false);
  });
});

describe('the role after a sign-in', () => {
  const list: RolePolicy = { adminEmails: new Set(['root@example.com']), claim: null };
  const claim: RolePolicy = { adminEmails: new Set(), claim: { name: 'groups', adminValue: 'staff' } };
  const identity = (email: string, emailVerified = true, claims = {}) => ({ email, emailVerified, claims });

  it('is customer for a new user without any claim', () => {
    expect(roleAfterSignIn(list, identity('a@example.com'), null)).toBe('customer');
  });

  it('is admin for a listed address only if the provider has verified it', () => {
    expect(roleAfterSignIn(list, identity('root@example.com'), null)).toBe('admin');
    expect(roleAfterSignIn(list, identity('root@example.com', false), null)).toBe('customer');
  });

  it('stays as set by staff if no claim is configured', () => {
    expect(roleAfterSignIn(list, identity('a@example.com'), 'admin')).toBe('admin');
  });

  it.each([
    ['staff', 'admin'],
    [['users', 'staff'], 'admin'],
    ['staffing', 'customer'],
    [{ staff: true }, 'customer'],
    [undefined, 'customer'],
  ])('follows the configured claim %j', (groups, expected) => {
    expect(roleAfterSignIn(claim, identity('a@example.com', true, { groups }), 'admin')).toBe(expected);
  });
});

describe('input validation', () => {
  it('compares e-mail addresses in lower case', () => {
    expect(normalisedEmail(' Ada@Example.COM ')).toBe('ada@example.com');
  });

  it.each(['', 'ada', '@example.com', 'ada@', 'a b@example.com', 'a@b@c', `${'a'.repeat(250)}@b.com`, 'a\0@b.com'])(
    'refuses %j as an e-mail address',
    (text) => expect(() => normalisedEmail(text)).toThrow('email must be'),
  );

  it.each(['', ' ', 'a\0b', 'x'.repeat(201), '\ud800'])('refuses %j as the name of an organisation', (text) => {
    expect(() => organisationName(text)).toThrow('name must');
  });

  it.each(['', 'lower', '1ST', '_A', 'A-B', 'A B', 'A'.repeat(65), 'A\n'])(
    'refuses %j as the name of a secret',
    (text) => {
      expect(() => secretName(text)).toThrow('name must');
    },
  );

  it('accepts capital letters, digits and underscores as the name of a secret', () => {
    expect(secretName('A')).toBe('A');
    expect(secretName('DB_PASSWORD_2')).toBe('DB_PASSWORD_2');
  });

  it.each(['', 'x'.repeat(65_537), 'a secret\0'])('refuses a secret value without repeating it', (text) => {
    expect(() => assertStorableValue(new SecretText(text))).toThrow(/^value must/);
  });
});
