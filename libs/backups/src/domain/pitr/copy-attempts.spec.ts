import {
  type CopyAttempts,
  failedAgain,
  isPaused,
  nextAttemptAt,
  NO_FAILURES,
  problemOfCopies,
} from './copy-attempts.js';

const AT = new Date('2026-05-01T08:00:00.000Z');
const MINUTE_MS = 60_000;

function failed(times: number): CopyAttempts {
  let attempts = NO_FAILURES;
  for (let i = 0; i < times; i++) attempts = failedAgain(attempts, 'The store is full.', AT);
  return attempts;
}
const minutesAfter = (attempts: CopyAttempts) => ((nextAttemptAt(attempts)?.getTime() ?? 0) - AT.getTime()) / MINUTE_MS;

describe('attempts to take a base backup', () => {
  it('need not wait at first', () => {
    expect([nextAttemptAt(NO_FAILURES), isPaused(NO_FAILURES, AT), problemOfCopies(NO_FAILURES)]).toEqual([
      null,
      false,
      null,
    ]);
  });

  it('wait longer after each failure, an hour at most', () => {
    expect([1, 2, 3, 4, 6, 7, 8, 2000].map((times) => minutesAfter(failed(times)))).toEqual([
      1, 2, 4, 8, 32, 60, 60, 60,
    ]);
  });

  it('go on once the pause is over, and when the clock was set back', () => {
    const attempts = failed(2);
    const after = (ms: number) => isPaused(attempts, new Date(AT.getTime() + ms));
    expect([after(-1), after(0), after(2 * MINUTE_MS - 1), after(2 * MINUTE_MS)]).toEqual([false, true, true, false]);
  });

  it('report how often they failed, why, and when the next one is', () => {
    expect([1, 3].map((times) => problemOfCopies(failed(times)))).toEqual([
      'The copy of all data failed once: The store is full. The next attempt is after 2026-05-01T08:01:00.000Z.',
      'The copy of all data failed 3 times in a row: The store is full. The next attempt is after 2026-05-01T08:04:00.000Z.',
    ]);
  });
});
