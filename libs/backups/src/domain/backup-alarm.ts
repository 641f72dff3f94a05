import type { VerifyRule } from './backup-policy.js';

/** A problem with the backups of a service that an admin has to know about. */
export interface BackupAlarm {
  readonly code: 'backup_lost' | 'backup_not_restorable' | 'backup_proof_old';
  readonly message: string;
  readonly at: Date;
}

/** A summary of the backups of one service. A time is null when there has been no such backup. */
export interface BackupHistory {
  readonly verify: VerifyRule;
  /** Time between two runs of the schedule, in milliseconds; null without a schedule. */
  readonly periodMs: number | null;
  /** When a stored backup was last found to be missing or changed. */
  readonly lostAt: Date | null;
  /** Creation of the newest backup that is verified or whose verification was skipped. */
  readonly acceptedAt: Date | null;
  /** Creation of the newest verified backup. */
  readonly provenAt: Date | null;
  /** When a backup was last verified. */
  readonly verifiedAt: Date | null;
  /** Creation of the newest backup whose verification failed. */
  readonly refutedAt: Date | null;
  /** Number of scheduled backups since the newest verified backup was created; of all when none is verified. */
  readonly scheduledSince: number;
  /** Creation of the first of those scheduled backups. */
  readonly firstScheduledAt: Date | null;
}

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** A single run may fail or wait for its verification; two in a row are reported. */
const MAX_RUNS_WITHOUT_PROOF = 2;

/** The most serious problem; null when there is none. A good newer backup ends the alarm about an older one. */
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

/** Only scheduled runs make a verification old: a stopped service is not backed up, since its data do not change. */
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
