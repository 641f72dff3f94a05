import type { VerifyRule } from './backup-policy.js';

/** What an admin must know of the backups of a service. */
export interface BackupAlarm {
  readonly code: 'backup_lost' | 'backup_not_restorable' | 'backup_proof_old';
  readonly message: string;
  readonly at: Date;
}

/** What is known of the backups of one service. Times are null where there was no such thing. */
export interface BackupHistory {
  readonly verify: VerifyRule;
  /** Between two runs of the schedule, in milliseconds; null without a schedule. */
  readonly periodMs: number | null;
  /** When a stored backup was last found to be missing or changed. */
  readonly lostAt: Date | null;
  /** When the newest one was made that was not found to be bad: it is verified, or its verification was skipped. */
  readonly acceptedAt: Date | null;
  /** When the newest verified one was made. */
  readonly provenAt: Date | null;
  /** When one was last verified. */
  readonly verifiedAt: Date | null;
  /** When the newest one was made whose verification failed. */
  readonly refutedAt: Date | null;
  /** How many the schedule asked for since the newest verified one was made; all of them without one. */
  readonly scheduledSince: number;
  /** When it asked for the first of those. */
  readonly firstScheduledAt: Date | null;
}

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** One run may fail or wait for its verification; two in a row are no accident. */
const MAX_RUNS_WITHOUT_PROOF = 2;

/** The worst that is wrong; null when nothing is. A newer backup ends what an older one began. */
export function alarmOf(history: BackupHistory, now: Date): BackupAlarm | null {
  const { lostAt, acceptedAt, provenAt, refutedAt } = history;
  if (isAfter(lostAt, acceptedAt)) {
    const message = 'A stored backup is missing from the destination, or was changed there, and there is no newer one.';
    return { code: 'backup_lost', message, at: lostAt };
  }
  if (isAfter(refutedAt, provenAt)) {
    const message = 'A backup cannot be restored: its verification failed. No newer backup is verified.';
    return { code: 'backup_not_restorable', message, at: refutedAt };
  }
  return alarmOfAge(history, now);
}

/** Only runs of the schedule make a proof old: a stopped service is not backed up, and its data do not change. */
function alarmOfAge(history: BackupHistory, now: Date): BackupAlarm | null {
  const { verify, periodMs, verifiedAt, firstScheduledAt, scheduledSince } = history;
  const since = verifiedAt ?? firstScheduledAt;
  if (verify === 'never' || periodMs === null || since === null || scheduledSince < MAX_RUNS_WITHOUT_PROOF) return null;
  const allowedMs = Math.max(2 * periodMs, DAY_MS) + (verify === 'weekly' ? WEEK_MS : 0);
  const at = new Date(since.getTime() + allowedMs);
  if (now <= at) return null;
  const message =
    verifiedAt === null
      ? `No backup is verified, since ${since.toISOString()}.`
      : `The newest verified backup was verified at ${verifiedAt.toISOString()}; no later one is.`;
  return { code: 'backup_proof_old', message, at };
}

function isAfter(at: Date | null, other: Date | null): at is Date {
  return at !== null && (other === null || at > other);
}
