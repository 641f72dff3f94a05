import { SecretText } from '#kernel/crypto/secret-text';
import { programFailure } from './program-failure.js';

const AT = '2026-11-25T15:04:05.000+0000\t';
const NONE = new Map<string, SecretText>();

describe('the failure message of a program', () => {
  it('contains the last line of stderr, without secrets', () => {
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
});
