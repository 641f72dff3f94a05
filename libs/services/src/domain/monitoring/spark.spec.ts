import fc from 'fast-check';
import { recent, withSample, type SparkPoint } from './spark.js';

const sample = (cpuPct: number) => ({ cpuPct, ramPct: 50 });

function drawn(samples: readonly (readonly [seconds: number, cpuPct: number])[]): readonly SparkPoint[] {
  let points: readonly SparkPoint[] = [];
  for (const [seconds, cpuPct] of samples) points = withSample(points, seconds * 1000, sample(cpuPct));
  return points;
}

describe('a sparkline', () => {
  it('has one point a minute, the average of its samples, oldest first', () => {
    const points = drawn([
      [0, 10],
      [10, 20],
      [50, 30],
      [60, 90],
    ]);
    expect(points.map(({ cpuPct }) => cpuPct)).toEqual([20, 90]);
  });

  it('keeps its minutes where they are, however late a sample comes', () => {
    const points = drawn([
      [0, 1],
      [65, 2],
      [119, 2],
      [121, 3],
    ]);
    expect(points.map(({ startedMs }) => startedMs)).toEqual([0, 60_000, 120_000]);
  });

  it('forgets what is older than half an hour, without filling gaps', () => {
    const points = drawn([
      [0, 1],
      [600, 2],
      [1_799, 3],
      [1_800, 4],
    ]);
    expect(points.map(({ cpuPct }) => cpuPct)).toEqual([2, 3, 4]);
    expect(recent(points, 10_000_000)).toEqual([]);
  });

  it('has at most 30 points, in order, of half an hour, whatever the pauses', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 120 }), (pauses) => {
        let now = 0;
        const points = drawn(pauses.map((pause) => [(now += pause), 7] as const));
        const starts = points.map(({ startedMs }) => startedMs);
        expect(points.length).toBeLessThanOrEqual(30);
        expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b));
        for (const point of points) expect(point.cpuPct).toBeCloseTo(7);
      }),
    );
  });
});
