import { Invalid } from '#kernel/errors';
import { postgresql } from './catalog/postgresql/index.js';
import { redis } from './catalog/redis/index.js';
import { checkVariables, hostNameOf } from './variables.js';

const check = (given: Record<string, string>, name = 'Shop database') =>
  checkVariables(postgresql, new Map(Object.entries(given)), name);

function refusal(given: Record<string, string>): Invalid {
  try {
    check(given);
  } catch (error) {
    if (error instanceof Invalid) return error;
  }
  throw new Error('it was accepted');
}

describe('the variables of a template', () => {
  it('have defaults, and a host name derived from the name', () => {
    expect(check({})).toEqual({ serviceName: 'shop-database', database: 'app', user: 'app', password: null });
  });

  it('count as omitted if they are empty', () => {
    expect(check({ DB_NAME: '', DB_PASSWORD: '' })).toMatchObject({ database: 'app', password: null });
  });

  it('are refused if unknown, all at once', () => {
    expect(refusal({ DB_NAMES: 'x', DB_USER: 'Robert; --' }).violations.map(({ path }) => path)).toEqual([
      '/variables/DB_NAMES',
      '/variables/DB_USER',
    ]);
  });

  it.each(['short', 'with space 12345', "quote'quote'quote", 'dollar$dollar$1', 'back`tick`tick1', 'x'.repeat(129)])(
    'refuse the password %s and do not repeat it',
    (password) => {
      expect(refusal({ DB_PASSWORD: password }).message).not.toContain(password);
    },
  );

  it.each([
    ['DB_USER', 'pg_read'],
    ['DB_NAME', 'template1'],
    ['SERVICE_NAME', 'Shop'],
    ['SERVICE_NAME', '-shop'],
  ])('refuse %s=%s', (name, value) => {
    expect(refusal({ [name]: value }).violations).toHaveLength(1);
  });

  it('that do not apply are accepted and have no effect', () => {
    const given = new Map([['DB_NAME', 'anything goes']]);
    expect(checkVariables(redis, given, 'cache')).toMatchObject({ database: '', user: 'default' });
  });

  it.each([
    ['Shop database', 'shop-database'],
    ['  Größe 2 ', 'gro-e-2'],
    ['2 fast', 'fast'],
    ['…', ''],
  ])('derive a host name from %s', (name, host) => {
    expect(hostNameOf(name)).toBe(host);
  });
});
