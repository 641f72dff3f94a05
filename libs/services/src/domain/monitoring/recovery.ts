import type { HealthVerdict } from './group-health.js';

/** The state of the panel's attempts to restart an unhealthy service. */
export interface Recovery {
  /** Attempts since the service was last healthy for ten minutes. */
  readonly attempts: number;
  readonly lastAt: Date | null;
  /** The next attempt does not start before this time. Null if there is no such limit. */
  readonly nextAt: Date | null;
  /** Consecutive readings with the verdict `unhealthy`. */
  readonly unhealthyLooks: number;
  readonly healthySince: Date | null;
}

export const NO_RECOVERY: Recovery = {
  attempts: 0,
  lastAt: null,
  nextAt: null,
  unhealthyLooks: 0,
  healthySince: null,
};

const ENOUGH_LOOKS = 3;
const FIRST_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 30 * 60_000;
const HEALED_AFTER_MS = 10 * 60_000;

/**
 * The state after a reading of the health.
 * @param counts false while the service does not run or an operation is in progress, when its health means nothing
 */
export function afterLook(recovery: Recovery, verdict: HealthVerdict, counts: boolean, now: Date): Recovery {
  const known = withinReach(recovery, now);
  if (!counts) return { ...known, unhealthyLooks: 0, healthySince: null };
  if (verdict === 'unhealthy') return { ...known, unhealthyLooks: known.unhealthyLooks + 1, healthySince: null };
  if (verdict === 'starting') return { ...known, unhealthyLooks: 0, healthySince: null };
  const healthySince = known.healthySince ?? now;
  const healed = now.getTime() - healthySince.getTime() >= HEALED_AFTER_MS;
  return healed ? { ...NO_RECOVERY, healthySince } : { ...known, unhealthyLooks: 0, healthySince };
}

export function isDue({ unhealthyLooks, nextAt }: Recovery, now: Date): boolean {
  return unhealthyLooks >= ENOUGH_LOOKS && (nextAt === null || now >= nextAt);
}

export function afterAttempt(recovery: Recovery, now: Date): Recovery {
  const attempts = recovery.attempts + 1;
  const nextAt = new Date(now.getTime() + pauseAfter(attempts));
  return { attempts, lastAt: now, nextAt, unhealthyLooks: 0, healthySince: null };
}

/** Exponential backoff: 30 seconds after the first attempt, doubled after each further one, at most half an hour. */
function pauseAfter(attempts: number): number {
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, 10));
}

/** If the clock was set back, the stored times are in the future. They are capped, so that no pause gets longer. */
function withinReach(recovery: Recovery, now: Date): Recovery {
  const { attempts, nextAt, healthySince } = recovery;
  const latest = now.getTime() + (attempts > 0 ? pauseAfter(attempts) : 0);
  return {
    ...recovery,
    nextAt: nextAt && new Date(Math.min(nextAt.getTime(), latest)),
    healthySince: healthySince && new Date(Math.min(healthySince.getTime(), now.getTime())),
  };
}
