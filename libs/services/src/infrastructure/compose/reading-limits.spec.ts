import { judgeReading } from './reading-limits.js';

describe('a reading of a compose file', () => {
  it.each([
    ['goes on within its share of work', 190, 149, 0, 'go-on'],
    ['is too complex when it has worked too long', 200, 150, 0, 'too-complex'],
    ['is too complex at the deadline when other threads collect its garbage', 210, 90, 10, 'too-complex'],
    ['goes on at the deadline when it has hardly worked', 200, 40, 10, 'go-on'],
    ['goes on at the deadline when it waited for a processor', 240, 140, 90, 'go-on'],
    ['is too complex on a busy machine when it has worked too long', 900, 150, 700, 'too-complex'],
    ['waits no longer than four seconds for a busy machine', 4000, 140, 3801, 'busy'],
    ['waits no longer than four seconds when nothing happens at all', 4000, 10, 0, 'busy'],
  ] as const)('%s', (_what, wallMs, workedMs, waitedMs, expected) => {
    expect(judgeReading(wallMs, { workedMs, waitedMs })).toBe(expected);
  });
});
