import { newestMoment, recoveryPlan, recoveryWindow, shippedUntil, type ShippedSegment } from './recovery-window.js';

const at = (seconds: number) => new Date(seconds * 1000);
const nameOf = (number: number) => `0000000100000000${number.toString(16).toUpperCase().padStart(8, '0')}`;
const segment = (number: number, markedAt: number | null = null): ShippedSegment => ({
  name: nameOf(number),
  next: nameOf(number + 1),
  markedAt: markedAt === null ? null : at(markedAt),
});
const base = (first: number, endedAt: number) => ({
  firstSegment: segment(first).name,
  endedAt: at(endedAt),
  proof: null,
});

describe('the recovery window', () => {
  it('begins at the end of the oldest copy and ends with the last shipped commit', () => {
    const shipped = [segment(3), segment(4, 50), segment(5, 60)];
    expect(recoveryWindow([base(3, 40), base(5, 55)], shipped, at(70))).toEqual({ from: at(40), to: at(70) });
  });

  it('begins after a gap in the log', () => {
    const shipped = [segment(3), segment(4, 50), segment(6, 60), segment(7, 65)];
    expect(recoveryWindow([base(3, 40), base(6, 58)], shipped, at(70))).toEqual({ from: at(58), to: at(70) });
    expect(recoveryWindow([base(3, 40)], shipped, at(70))).toBeNull();
  });

  it('does not exist before there is a copy and a shipped segment', () => {
    expect(recoveryWindow([], [segment(3, 50)], at(70))).toBeNull();
    expect(recoveryWindow([base(3, 40)], [], at(70))).toBeNull();
    expect(recoveryWindow([base(3, 40)], [segment(3, 50)], null)).toBeNull();
    expect(recoveryWindow([base(3, 80)], [segment(3, 50)], at(70))).toBeNull();
  });
});

describe('the time up to which the log is shipped', () => {
  const shipped = [segment(3), segment(4, 50), segment(5, 70)];
  const until = (log: readonly ShippedSegment[], reachesTo: number | null = 80) =>
    shippedUntil({ nextSegment: nameOf(6), reachesTo: reachesTo === null ? null : at(reachesTo) }, log);

  it('goes beyond the last mark while nothing is written', () => {
    expect(until(shipped)).toEqual(at(80));
    expect(until(shipped, null)).toBeNull();
  });

  it('ends with the last mark that is left when the newest segment was lost', () => {
    const left = shipped.slice(0, 2);
    expect(until(left)).toEqual(at(50));
    expect(recoveryPlan([base(3, 40)], left, until(left)!, at(75))).toBeNull();
    expect(until([])).toBeNull();
  });

  it('ends with the last mark when the log is no longer archived', () => {
    expect(shippedUntil(null, shipped)).toEqual(at(70));
  });
});

describe('the newest moment of a copy', () => {
  it('is the last one that was shipped, or the last mark before a gap', () => {
    const shipped = [segment(2, 30), segment(3), segment(4, 50), segment(6, 60), segment(7, 70)];
    expect(newestMoment(base(6, 55), shipped, at(80))).toEqual(at(80));
    expect(newestMoment(base(3, 40), shipped, at(80))).toEqual(at(50));
  });

  it('is not there before its end was shipped', () => {
    expect(newestMoment(base(3, 90), [segment(3), segment(4, 50)], at(80))).toBeNull();
    expect(newestMoment(base(5, 40), [segment(3), segment(4, 50)], at(80))).toBeNull();
  });
});

describe('the recovery plan for a moment', () => {
  const shipped = [segment(3), segment(4, 50), segment(5), segment(6, 70)];

  it('uses the newest copy before the moment, and the log up to a mark after it', () => {
    const bases = [base(3, 40), base(5, 55)];
    expect(recoveryPlan(bases, shipped, at(80), at(52))).toMatchObject({ base: bases[0], target: at(52) });
    expect(recoveryPlan(bases, shipped, at(80), at(60))).toEqual({
      base: bases[1],
      target: at(60),
      segments: [segment(5), segment(6, 70)],
    });
    expect(recoveryPlan(bases, shipped, at(80), at(45))!.segments).toEqual([segment(3), segment(4, 50)]);
  });

  it('ends at the last mark when nothing was committed since', () => {
    expect(recoveryPlan([base(3, 40)], shipped, at(80), at(75))!.target).toEqual(at(70));
    expect(recoveryPlan([base(3, 40)], shipped, at(80), at(81))).toBeNull();
  });

  it('does not use a copy whose trial failed', () => {
    const failed = { ...base(5, 55), proof: 'failed' as const };
    expect(recoveryPlan([base(3, 40), failed], shipped, at(80), at(60))!.base).toEqual(base(3, 40));
    expect(recoveryPlan([failed], shipped, at(80), at(60))).toBeNull();
    expect(recoveryWindow([failed], shipped, at(80))).toBeNull();
  });

  it('does not exist across a gap, or for a moment before the copy was complete', () => {
    const broken = [segment(3), segment(4, 50), segment(6, 70)];
    expect(recoveryPlan([base(3, 40)], broken, at(80), at(45))!.segments).toHaveLength(2);
    expect(recoveryPlan([base(3, 40)], broken, at(80), at(55))).toBeNull();
    expect(recoveryPlan([base(3, 40)], shipped, at(80), at(39))).toBeNull();
  });
});
