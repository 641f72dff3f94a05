const MINUTE_MS = 60_000;
const MAX_PAUSE_MS = 60 * MINUTE_MS;
const MAX_DOUBLINGS = 6;

/** The recent attempts to take a base backup, which is the copy of all data that the log is played onto. */
export interface CopyAttempts {
  /** Number of failures in a row. */
  readonly failures: number;
  /** When the last attempt failed. Null when the next one need not wait: none failed, or a newer copy awaits its trial. */
  readonly failedAt: Date | null;
  /** Why the last attempt failed, as a sentence; null while nothing is wrong. */
  readonly reason: string | null;
}

export const NO_FAILURES: CopyAttempts = { failures: 0, failedAt: null, reason: null };

export function failedAgain({ failures }: CopyAttempts, reason: string, at: Date): CopyAttempts {
  return { failures: failures + 1, failedAt: at, reason };
}

/** The state after a copy was taken. The failures are forgotten only when its trial succeeds. */
export function awaitingTrial(attempts: CopyAttempts): CopyAttempts {
  return { ...attempts, failedAt: null };
}

/**
 * One minute after the first failure; the pause doubles with each further one, up to an hour. Null: no need to wait.
 */
export function nextAttemptAt({ failures, failedAt }: CopyAttempts): Date | null {
  if (failedAt === null) return null;
  const pause = Math.min(MINUTE_MS * 2 ** Math.min(failures - 1, MAX_DOUBLINGS), MAX_PAUSE_MS);
  return new Date(failedAt.getTime() + pause);
}

/** Whether to wait with the next attempt. If the clock was set back to before the last failure, there is no wait. */
export function isPaused(attempts: CopyAttempts, now: Date): boolean {
  const { failedAt } = attempts;
  const next = nextAttemptAt(attempts);
  return next !== null && failedAt !== null && failedAt.getTime() <= now.getTime() && now.getTime() < next.getTime();
}

/** A message for the owner of the service; null while nothing is wrong. */
export function problemOfCopies(attempts: CopyAttempts): string | null {
  const { failures, reason } = attempts;
  if (reason === null) return null;
  const next = nextAttemptAt(attempts);
  const times = failures === 1 ? 'once' : `${failures} times in a row`;
  const then =
    next === null
      ? 'There is a new one, which is not verified yet.'
      : `The next attempt is after ${next.toISOString()}.`;
  return `The copy of all data failed ${times}: ${reason} ${then}`;
}
