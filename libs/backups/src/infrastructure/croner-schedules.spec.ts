import { CronerSchedules } from './croner-schedules.js';

const schedules = new CronerSchedules();
const next = (schedule: string, after: string) => schedules.next(schedule, new Date(after)).toISOString();

describe('schedules', () => {
  it('run in UTC, regardless of daylight saving time', () => {
    expect(next('30 2 * * *', '2027-03-28T00:00:00Z')).toBe('2027-03-28T02:30:00.000Z');
    expect(next('30 2 * * *', '2027-03-28T02:30:00Z')).toBe('2027-03-29T02:30:00.000Z');
    expect(next('0 3 * * 1', '2026-06-02T00:00:00Z')).toBe('2026-06-08T03:00:00.000Z');
  });

  it.each(['* * *', '61 * * * *', '0 0 * * * *', '', 'every day', '0 0 31 2 *', '@daily '])('refuse %j', (schedule) =>
    expect(() => next(schedule, '2026-06-02T00:00:00Z')).toThrow(/schedule/),
  );
});
