import fc from 'fast-check';
import { percentOf, ratesBetween, type Counters } from './container-usage.js';

const START = Date.parse('2026-05-01T08:00:00Z');

const counters = (seconds: number, given: Partial<Counters> & { cores?: number } = {}): Counters => ({
  at: new Date(START + seconds * 1000),
  seenMs: seconds * 1000,
  cpuNanos: BigInt(Math.round((given.cores ?? 0) * seconds * 1e9)),
  rxBytes: 0,
  txBytes: 0,
  ...given,
});

describe('what a container used between two looks', () => {
  it('is the growth of its counters by the time between', () => {
    const before = counters(10, { cores: 0.5, rxBytes: 1_000, txBytes: 10 });
    const now = counters(20, { cores: 0.5, rxBytes: 6_000, txBytes: 30 });
    expect(ratesBetween(before, now)).toEqual({ cores: 0.5, rxBps: 500, txBps: 2 });
  });

  it('goes by the clock of the engine, which knows when it looked', () => {
    const before = counters(10, { cores: 1 });
    const now = { ...counters(20, { cores: 1 }), seenMs: 20_900 };
    expect(ratesBetween(before, now)!.cores).toBeCloseTo(1);
  });

  it.each([
    ['forward', 3_600],
    ['back', -3_600],
  ])('survives a clock of the engine that is set %s', (_, jump) => {
    const before = counters(10, { cores: 1 });
    const now = counters(20, { cores: 1 });
    const set = { ...now, at: new Date(now.at.getTime() + jump * 1000) };
    expect(ratesBetween(before, set)!.cores).toBeCloseTo(1);
  });

  it('is what was used since the start, when the container was started in between', () => {
    const before = counters(100, { cores: 1, rxBytes: 9_000 });
    const now = counters(110, { cpuNanos: 5_000_000_000n, rxBytes: 1_000 });
    expect(ratesBetween(before, now)).toEqual({ cores: 0.5, rxBps: 100, txBps: 0 });
  });

  it('is not known when there is no time between', () => {
    expect(ratesBetween(counters(10), counters(10))).toBeNull();
  });

  it('is never negative nor infinite, and a share of it never outside 0 to 100, whatever the clocks do', () => {
    const reading = fc.record({
      at: fc.date({ noInvalidDate: true }),
      seenMs: fc.double({ min: 0, max: 1e12, noNaN: true }),
      cpuNanos: fc.bigInt({ min: 0n, max: 1n << 63n }),
      rxBytes: fc.nat(),
      txBytes: fc.nat(),
    });
    fc.assert(
      fc.property(reading, reading, fc.double({ min: 0, max: 256, noNaN: true }), (before, now, limit) => {
        const rates = ratesBetween(before, now);
        if (rates === null) return;
        for (const rate of Object.values(rates)) expect(rate >= 0 && Number.isFinite(rate)).toBe(true);
        const share = percentOf(rates.cores, limit);
        expect(share >= 0 && share <= 100).toBe(true);
      }),
    );
  });
});

describe('a share of a limit', () => {
  it('has one decimal', () => {
    expect([percentOf(1, 3), percentOf(0.5, 1), percentOf(2, 1), percentOf(1, 0)]).toEqual([33.3, 50, 100, 0]);
  });
});
