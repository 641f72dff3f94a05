/** Counters of one container at one moment. They grow from the start of the container. */
export interface Counters {
  /** The engine's clock. */
  readonly at: Date;
  /** The reader's monotonic clock, in milliseconds. */
  readonly seenMs: number;
  readonly cpuNanos: bigint;
  readonly rxBytes: number;
  readonly txBytes: number;
}

/** Average use of a container between two readings. */
export interface Rates {
  /** Busy cores: 1 is one core at 100 %. */
  readonly cores: number;
  readonly rxBps: number;
  readonly txBps: number;
}

/** The engine reads counters a little later than they are requested, so the two clocks may differ by this much. */
const TOLERANCE_MS = 500;
const TOLERANCE_SHARE = 0.1;
const MIN_ELAPSED_MS = 20;

/**
 * Null if the readings are too close together. A counter that decreased means that the container was restarted, so its
 * value was used since then. The result may be too low in this case, but never too high.
 */
export function ratesBetween(before: Counters, now: Counters): Rates | null {
  const elapsedMs = elapsed(before, now);
  if (elapsedMs < MIN_ELAPSED_MS) return null;
  const began = now.cpuNanos < before.cpuNanos;
  const grown = (from: number, to: number) => ((began || to < from ? to : to - from) * 1000) / elapsedMs;
  return {
    cores: Number(began ? now.cpuNanos : now.cpuNanos - before.cpuNanos) / 1e6 / elapsedMs,
    rxBps: grown(before.rxBytes, now.rxBytes),
    txBps: grown(before.txBytes, now.txBytes),
  };
}

/** Prefers the engine's clock, which says when it read the counters. It is not used if it was adjusted in between. */
function elapsed(before: Counters, now: Counters): number {
  const engineMs = now.at.getTime() - before.at.getTime();
  const ownMs = now.seenMs - before.seenMs;
  const agrees = Math.abs(engineMs - ownMs) <= TOLERANCE_MS + TOLERANCE_SHARE * ownMs;
  return agrees ? engineMs : ownMs;
}

/** Percentage from 0 to 100, rounded to one decimal. Use above the limit counts as 100. */
export function percentOf(used: number, limit: number): number {
  const share = limit > 0 ? used / limit : 0;
  return Number.isFinite(share) ? Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10 : 0;
}
