import fc from 'fast-check';
import {
  MAX_LIMITS,
  isLimited,
  limitDefect,
  overdrawn,
  QUOTA_KINDS,
  tightest,
  UNLIMITED,
  withLimits,
  type QuotaLimits,
  type QuotaUse,
} from './quota.js';

const amount = fc.integer({ min: 0, max: 20 });
const use: fc.Arbitrary<QuotaUse> = fc.record({
  services: amount,
  cpuCores: amount,
  memoryMb: amount,
  diskMb: amount,
});
const limit = fc.option(amount);
const limits: fc.Arbitrary<QuotaLimits> = fc.record({
  services: limit,
  cpuCores: limit,
  memoryMb: limit,
  diskMb: limit,
});

describe('the limits of a quota', () => {
  it('are kept exactly when every one of them is, below all organisations at once', () => {
    fc.assert(
      fc.property(fc.array(limits, { maxLength: 4 }), use, (all, used) => {
        const kept = all.every((one) => overdrawn(one, used).length === 0);
        expect(overdrawn(tightest(all), used).length === 0).toBe(kept);
      }),
    );
  });

  it('name the kinds of which there is too much, and no others', () => {
    fc.assert(
      fc.property(limits, use, (allowed, used) => {
        const tooMuch = QUOTA_KINDS.filter((kind) => allowed[kind] !== null && used[kind] > allowed[kind]);
        expect(overdrawn(allowed, used)).toEqual(tooMuch);
      }),
    );
  });

  it('never grow by one more organisation above', () => {
    fc.assert(
      fc.property(fc.array(limits, { maxLength: 3 }), limits, (all, more) => {
        const [before, after] = [tightest(all), tightest([...all, more])];
        for (const kind of QUOTA_KINDS) expect(after[kind] ?? Infinity).toBeLessThanOrEqual(before[kind] ?? Infinity);
      }),
    );
  });

  it('of nobody are none', () => {
    expect(tightest([])).toEqual(UNLIMITED);
    expect([isLimited(UNLIMITED), isLimited({ ...UNLIMITED, diskMb: 0 })]).toEqual([false, true]);
    expect(overdrawn(UNLIMITED, MAX_LIMITS)).toEqual([]);
  });

  it('change one by one', () => {
    const before = { services: 3, cpuCores: null, memoryMb: 512, diskMb: 0 };
    expect(withLimits(before, { services: null, cpuCores: 0.5 })).toEqual({ ...before, services: null, cpuCores: 0.5 });
    expect(() => withLimits(before, { memoryMb: -1 })).toThrow('memoryMb must be a whole number from 0 to');
  });

  it.each([
    ['services', 1.5],
    ['services', -1],
    ['cpuCores', NaN],
    ['cpuCores', Infinity],
    ['memoryMb', 0.5],
    ['diskMb', MAX_LIMITS.diskMb + 1],
  ] as const)('of %s are not %d', (kind, value) => expect(limitDefect(kind, value)).toContain('must be'));
});
