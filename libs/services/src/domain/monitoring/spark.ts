/** One point of a sparkline: the average of the samples of a minute. */
export interface SparkPoint {
  /** By a clock that never jumps. */
  readonly startedMs: number;
  readonly cpuPct: number;
  readonly ramPct: number;
  readonly samples: number;
}

const POINT_MS = 60_000;
const MAX_POINTS = 30;
export const SPARK_MS = POINT_MS * MAX_POINTS;

/** Oldest first. The last point grows until its minute is over; what is older than half an hour goes. */
export function withSample(
  points: readonly SparkPoint[],
  atMs: number,
  { cpuPct, ramPct }: { readonly cpuPct: number; readonly ramPct: number },
): readonly SparkPoint[] {
  const last = points.at(-1);
  if (!last) return [{ startedMs: atMs, cpuPct, ramPct, samples: 1 }];
  const minutes = Math.floor((atMs - last.startedMs) / POINT_MS);
  if (minutes >= 1) {
    const startedMs = last.startedMs + minutes * POINT_MS;
    return recent([...points, { startedMs, cpuPct, ramPct, samples: 1 }], atMs);
  }
  const samples = last.samples + 1;
  const average = (old: number, added: number) => old + (added - old) / samples;
  const grown = { cpuPct: average(last.cpuPct, cpuPct), ramPct: average(last.ramPct, ramPct), samples };
  return recent([...points.slice(0, -1), { ...last, ...grown }], atMs);
}

/** Those of the last half hour. */
export function recent(points: readonly SparkPoint[], nowMs: number): readonly SparkPoint[] {
  return points.filter(({ startedMs }) => nowMs - startedMs < SPARK_MS).slice(-MAX_POINTS);
}
