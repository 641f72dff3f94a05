import { SecretText } from '#kernel/crypto/secret-text';
import { programFailure } from './program-failure.js';

const AT = '2026-11-25T15:04:05.000+0000\t';
const NONE = new Map<string, SecretText>();

const said = (stderrTail: string) =>
  programFailure('pg_restore', { exitCode: 1, stderrTail }, new Map([['PASSWORD', new SecretText('s3cret')]])).message;

describe('what is told of a program that failed', () => {
  it('is the last line that it wrote, without secrets', () => {
    const secrets = new Map([['DB_PASSWORD', new SecretText('hunter2-hunter2')]]);
    const stderrTail = 'first\nno entry for hunter2-hunter2\n';
    expect(programFailure('psql', { exitCode: 2, stderrTail }, secrets).message).toBe(
      'psql ended with 2: no entry for [redacted]',
    );
    expect(programFailure('psql', { exitCode: 2, stderrTail: '' }, NONE).message).toBe('psql ended with 2.');
  });

  it('contains the reason of mongorestore, although its statistics come after it', () => {
    const figures = `${AT}0 document(s) restored successfully. 0 document(s) failed to restore.\n`;
    const stderrTail = `${AT}Failed: stream or file does not appear to be a mongodump archive\n${figures}`;
    expect(programFailure('sh', { exitCode: 1, stderrTail }, NONE).message).toContain(
      'Failed: stream or file does not appear to be a mongodump archive',
    );
  });

  it.each([
    [
      'pg_restore: error: COPY failed for table "t": ERROR:  relation "other" does not exist\nLINE 1:  select 1\nCOPY t, line 1: "1"\n',
      'pg_restore: error: COPY failed for table "t": ERROR:  relation "other" does not exist',
    ],
    [
      'ERROR:  out of shared memory\nHINT:  You might need to increase max_locks_per_transaction.\n',
      'ERROR:  out of shared memory HINT:  You might need to increase max_locks_per_transaction.',
    ],
    [
      'WARNING: x\nERROR 1054 (42S22) at line 121: Unknown column\nBye\n',
      'ERROR 1054 (42S22) at line 121: Unknown column',
    ],
  ])('is the line with the error, and none of the rows or statements behind it: %j', (stderr, told) =>
    expect(said(stderr)).toBe(`pg_restore ended with 1: ${told}`),
  );

  it('has neither secrets nor control characters, and an end', () => {
    expect(said('ERROR: no s3cret\u0007 here')).toBe('pg_restore ended with 1: ERROR: no [redacted]  here');
    expect(said('')).toBe('pg_restore ended with 1.');
    expect(said('7'.repeat(9000))).toBe('pg_restore ended with 1.');
    expect(said(`error: ${'x'.repeat(9000)}`).length).toBeLessThan(400);
  });
});
