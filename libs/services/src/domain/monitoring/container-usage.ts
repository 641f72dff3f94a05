/** Counters of one container at one moment; totals grow from its start. */
export interface Counters {
  /** By the engine's clock. */
  readonly at: Date;
  /** By a clock of the reader that never jumps, in milliseconds. */
  readonly seenMs: number;
  readonly cpuNanos: bigint;
  readonly rxBytes: number;
  readonly txBytes: number;
}

/** What a container used on the average between two looks. */
export interface Rates {
  /** Processors kept busy; 1 is one of them all the time. */
  readonly cores: number;
  readonly rxBps: number;
  readonly txBps: number;
}

/** Counters are not read at the very moment at which they are asked for. */
const TOLERATED_MS = 500;
const TOLERATED_SHARE = 0.1;
const MIN_ELAPSED_MS = 20;

/**
 * Null where nothing can be said: the looks are too close to each other. A counter that went back begins with a start
 * of the container in between, so that what it shows was used since: never more than was used in truth.
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

/** The engine knows best when it looked, unless its clock was set in between. */
function elapsed(before: Counters, now: Counters): number {
  const engineMs = now.at.getTime() - before.at.getTime();
  const ownMs = now.seenMs - before.seenMs;
  const agrees = Math.abs(engineMs - ownMs) <= TOLERATED_MS + TOLERATED_SHARE * ownMs;
  return agrees ? engineMs : ownMs;
}

/** Of a limit, 0 to 100 with one decimal. */
export function percentOf(used: number, limit: number): number {
  const share = limit > 0 ? used / limit : 0;
  return Number.isFinite(share) ? Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10 : 0;
}
