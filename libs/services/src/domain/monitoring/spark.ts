/** One point of a sparkline: the average of the samples of one minute. */
export interface SparkPoint {
  /** On a monotonic clock. */
  readonly startedMs: number;
  readonly cpuPct: number;
  readonly ramPct: number;
  readonly samples: number;
}

const POINT_MS = 60_000;
const MAX_POINTS = 30;
export const SPARK_MS = POINT_MS * MAX_POINTS;

/** Adds a sample. The last point collects samples for a minute. Points older than half an hour are removed. */
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

/** The points of the last half hour, oldest first. */
export function recent(points: readonly SparkPoint[], nowMs: number): readonly SparkPoint[] {
  return points.filter(({ startedMs }) => nowMs - startedMs < SPARK_MS).slice(-MAX_POINTS);
}
