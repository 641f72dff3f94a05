import { Logger } from '@nestjs/common';
import { BackupFailed } from '../domain/backup-errors.js';
import { failureText } from './failure-text.js';

describe('the reason of a failure', () => {
  const goingOn = new AbortController().signal;
  let logged: string[];
  beforeEach(() => {
    logged = [];
    jest.spyOn(Logger.prototype, 'error').mockImplementation((line: unknown) => void logged.push(String(line)));
  });
  afterEach(() => jest.restoreAllMocks());

  it('is what is known of it, and then nothing is logged', () => {
    expect(failureText(new BackupFailed('pg_dump ended with 1.'), goingOn)).toBe('pg_dump ended with 1.');
    expect(failureText(new Error('any'), AbortSignal.abort())).toBe('The worker ended in the middle of it.');
    expect(logged).toEqual([]);
  });

  it('stays unknown to the owner when nobody has foreseen it; the log says where it arose, without its message', () => {
    const text = failureText(new TypeError('cannot read s3cret-passw0rd'), goingOn);
    expect(text).toBe(
      'It failed for a reason that the panel does not know. The log of the worker says where it arose.',
    );
    expect(logged).toEqual([expect.stringMatching(/^An unexpected failure: TypeError at .*failure-text\.spec/)]);
    expect(`${text} ${logged.join()}`).not.toContain('s3cret');
  });
});
