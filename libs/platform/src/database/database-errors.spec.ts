import { startFailure } from '../run-process.js';
import { isDatabaseUnavailable } from './database-errors.js';

const saidByServer = (code: string, message: string) => Object.assign(new Error(message), { code });

describe('database errors', () => {
  it.each([
    ['a server that is stopping', saidByServer('57P01', 'terminating connection due to administrator command')],
    ['a server that refuses', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
    ['a server that hangs while connecting', new Error('timeout expired')],
    ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
    ['a runner whose connection was lost', new Error('Query runner already released. Cannot run queries anymore.')],
    [
      'an error that wraps one of these',
      new Error('outer', { cause: new Error('Connection terminated unexpectedly') }),
    ],
  ])('may pass: %s', (_, error) => expect(isDatabaseUnavailable(error)).toBe(true));

  it.each([
    ['a violated constraint', saidByServer('23505', 'duplicate key')],
    ['a bug', new TypeError('x is not a function')],
  ])('are not temporary: %s', (_, error) => expect(isDatabaseUnavailable(error)).toBe(false));

  it.each([
    saidByServer('28P01', 'password authentication failed for user "tenantry"'),
    saidByServer('3D000', 'database "nodb" does not exist'),
  ])('stop the start with one line that names the setting: %s', (error) => {
    expect(startFailure(error)).toBe(`The database at DATABASE_URL refuses the connection: ${error.message}.`);
  });
});
