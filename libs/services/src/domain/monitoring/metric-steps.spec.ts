import { stepsOf } from './metric-steps.js';

describe('a range of figures', () => {
  const now = new Date('2026-05-01T08:31:47.500Z');

  it.each([
    ['15m', '2026-05-01T08:16:50.000Z', 10, 90],
    ['1h', '2026-05-01T07:32:00.000Z', 60, 60],
    ['6h', '2026-05-01T02:35:00.000Z', 300, 72],
    ['24h', '2026-04-30T08:45:00.000Z', 900, 96],
  ] as const)('of %s begins with a whole step and ends now', (range, from, stepSeconds, steps) => {
    const found = stepsOf(range, now);
    expect(found).toEqual({ from: new Date(from), to: now, stepSeconds });
    expect(Math.ceil((now.getTime() - found.from.getTime()) / stepSeconds / 1000)).toBe(steps);
  });
});
