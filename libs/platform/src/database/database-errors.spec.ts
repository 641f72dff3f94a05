import { startFailure } from '../run-process.js';
import { isDatabaseUnavailable } from './database-errors.js';

const saidByServer = (code: string, message: string) => Object.assign(new Error(message), { code });

describe('errors of the database', () => {
  it.each([
    ['a server that is stopping', saidByServer('57P01', 'terminating connection due to administrator command')],
    ['a server that refuses', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
    ['a server that hangs, at the start of a connection', new Error('timeout expired')],
    ['a pool that waits', new Error('timeout exceeded when trying to connect')],
    ['a runner whose connection was lost', new Error('Query runner already released. Cannot run queries anymore.')],
    ['what wraps any of them', new Error('outer', { cause: new Error('Connection terminated unexpectedly') })],
  ])('may pass: %s', (_, error) => expect(isDatabaseUnavailable(error)).toBe(true));

  it.each([
    ['a broken rule', saidByServer('23505', 'duplicate key')],
    ['a mistake of ours', new TypeError('x is not a function')],
  ])('do not pass by themselves: %s', (_, error) => expect(isDatabaseUnavailable(error)).toBe(false));

  it.each([
    saidByServer('28P01', 'password authentication failed for user "tenantry"'),
    saidByServer('3D000', 'database "nodb" does not exist'),
  ])('end the start with one line that names the setting: %s', (error) => {
    expect(startFailure(error)).toBe(`The database at DATABASE_URL refuses the connection: ${error.message}.`);
  });
});
