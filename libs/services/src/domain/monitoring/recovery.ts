import type { HealthVerdict } from './group-health.js';

/** How far the panel's own attempts to bring an unhealthy service back have come. */
export interface Recovery {
  /** Since the service was last healthy for a while. */
  readonly attempts: number;
  readonly lastAt: Date | null;
  /** Not before then; null: as soon as it is unhealthy for long enough. */
  readonly nextAt: Date | null;
  /** Looks in a row at which it was unhealthy. */
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
 * @param counts false while the service does not run or something is done with it: its health then says nothing
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

/** 30 seconds after the first attempt, twice as long after each further one, half an hour at most. */
function pauseAfter(attempts: number): number {
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, 10));
}

/** A clock that was put back does not make anybody wait longer than the pause was meant to be. */
function withinReach(recovery: Recovery, now: Date): Recovery {
  const { attempts, nextAt, healthySince } = recovery;
  const latest = now.getTime() + (attempts > 0 ? pauseAfter(attempts) : 0);
  return {
    ...recovery,
    nextAt: nextAt && new Date(Math.min(nextAt.getTime(), latest)),
    healthySince: healthySince && new Date(Math.min(healthySince.getTime(), now.getTime())),
  };
}
