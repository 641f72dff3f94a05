import type { Uuid } from '#kernel/crypto/uuid';
import type { BackupPolicy } from './backup-policy.js';
import type { BackupState } from './backup-state.js';

export type Retained = Pick<BackupState, 'id' | 'trigger' | 'createdAt'> & { readonly isVerified: boolean };

type Rules = Pick<BackupPolicy, 'keepDaily' | 'keepWeekly' | 'keepMonthly'>;

const DAY_MS = 24 * 3_600_000;
/** How long backups are kept that no schedule made: somebody had a reason for each of them. */
export const UNSCHEDULED_DAYS = 30;
/** Weeks begin on Monday, and 1 January 1970 was a Thursday. */
const MONDAY_OFFSET_DAYS = 3;

/**
 * Until when each backup is kept. For scheduled backups, the newest of a day is kept for `keepDaily` days, the newest
 * of a week (from Monday) for `keepWeekly` weeks and the newest of a month for `keepMonthly` months, all in UTC. Other
 * backups are kept for 30 days. Null means kept without end: while the service exists, this is its newest verified
 * backup or, if none is verified, its newest one.
 * @param backups all backups of one service that have succeeded and not expired
 */
export function expiries(
  backups: readonly Retained[],
  rules: Rules,
  serviceExists: boolean,
): ReadonlyMap<Uuid, Date | null> {
  const newestFirst = [...backups].sort(
    (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1),
  );
  const until = new Map<Uuid, Date | null>();
  const seen = new Set<string>();
  for (const backup of newestFirst) {
    if (backup.trigger !== 'schedule') {
      until.set(backup.id, daysAfter(backup.createdAt, UNSCHEDULED_DAYS));
      continue;
    }
    const ends = bucketsOf(backup.createdAt, rules).flatMap(({ name, end }) => {
      if (seen.has(name)) return [];
      seen.add(name);
      return [end.getTime()];
    });
    until.set(backup.id, new Date(Math.max(backup.createdAt.getTime(), ...ends)));
  }
  const reliable = serviceExists ? (newestFirst.find(({ isVerified }) => isVerified) ?? newestFirst[0]) : undefined;
  if (reliable) until.set(reliable.id, null);
  return until;
}

interface Bucket {
  readonly name: string;
  /** Until when the backup of this bucket is kept, exclusive. */
  readonly end: Date;
}

function bucketsOf(at: Date, { keepDaily, keepWeekly, keepMonthly }: Rules): Bucket[] {
  const day = Math.floor(at.getTime() / DAY_MS);
  const week = Math.floor((day + MONDAY_OFFSET_DAYS) / 7);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  return [
    { name: `day ${day}`, end: new Date((day + keepDaily) * DAY_MS) },
    { name: `week ${week}`, end: new Date(((week + keepWeekly) * 7 - MONDAY_OFFSET_DAYS) * DAY_MS) },
    { name: `month ${year}-${month}`, end: new Date(Date.UTC(year, month + keepMonthly, 1)) },
  ];
}

function daysAfter(at: Date, days: number): Date {
  return new Date(at.getTime() + days * DAY_MS);
}
