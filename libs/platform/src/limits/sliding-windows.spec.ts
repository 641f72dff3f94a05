import fc from 'fast-check';
import { InProcessSlidingWindows } from './sliding-windows.js';

describe('a sliding minute', () => {
  it('allows the full limit at once, and the next request when the first second is a minute old', () => {
    let now = 5_300;
    const windows = new InProcessSlidingWindows(() => now);
    for (let i = 1; i <= 60; i++) expect(windows.take('key', 60)).toMatchObject({ isBlocked: false, totalHits: i });
    const refused = windows.take('key', 60);
    expect(refused).toMatchObject({ isBlocked: true, timeToBlockExpire: 61 });
    now += 59_999;
    expect(windows.take('key', 60).isBlocked).toBe(true);
    now += 1_000;
    expect(windows.take('key', 60)).toMatchObject({ isBlocked: false, totalHits: 1 });
  });

  it('never allows more than the limit in any 60 seconds, and delays nobody by more than one extra second', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 8 }), (between, limit) => {
        let now = 0;
        const windows = new InProcessSlidingWindows(() => now);
        const passed: number[] = [];
        for (const gap of between) {
          now += gap;
          const recent = passed.filter((at) => at > now - 60_000).length;
          const surely = passed.filter((at) => at > now - 61_000).length;
          const { isBlocked } = windows.take('key', limit);
          if (!isBlocked) passed.push(now);
          if (recent >= limit) expect(isBlocked).toBe(true);
          if (surely < limit) expect(isBlocked).toBe(false);
        }
      }),
    );
  });

  it('keeps keys apart and counts no refused request', () => {
    let now = 0;
    const windows = new InProcessSlidingWindows(() => now);
    expect(windows.take('one', 1).isBlocked).toBe(false);
    expect(windows.take('two', 1).isBlocked).toBe(false);
    for (let i = 0; i < 100; i++) {
      now += 600;
      expect(windows.take('one', 1).isBlocked).toBe(true);
    }
    now += 1_000;
    expect(windows.take('one', 1).isBlocked).toBe(false);
  });
});
