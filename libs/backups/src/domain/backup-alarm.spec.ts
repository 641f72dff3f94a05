import { alarmOf, type BackupHistory } from './backup-alarm.js';

const NOW = new Date('2026-05-20T12:00:00Z');
const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS);

/** A service that is backed up every day, and whose backup of this morning is verified. */
const HEALTHY: BackupHistory = {
  verify: 'always',
  periodMs: DAY_MS,
  lostAt: null,
  acceptedAt: daysAgo(0.3),
  provenAt: daysAgo(0.3),
  verifiedAt: daysAgo(0.2),
  refutedAt: null,
  scheduledSince: 0,
  firstScheduledAt: null,
};
const NEVER_PROVEN = { acceptedAt: null, provenAt: null, verifiedAt: null };
const codeOf = (change: Partial<BackupHistory>) => alarmOf({ ...HEALTHY, ...change }, NOW)?.code ?? null;

describe('the alarm about the backups of a service', () => {
  it.each<[string, Partial<BackupHistory>, string | null]>([
    ['is silent while the newest backup is verified', {}, null],
    ['is raised for a lost backup', { lostAt: daysAgo(0.1) }, 'backup_lost'],
    ['is raised for a lost backup that was the only one', { lostAt: daysAgo(3), ...NEVER_PROVEN }, 'backup_lost'],
    ['is over when a newer one was made', { lostAt: daysAgo(1) }, null],
    ['is raised for a backup that cannot be restored', { refutedAt: daysAgo(0.1) }, 'backup_not_restorable'],
    ['is over when a newer one is verified', { refutedAt: daysAgo(2) }, null],
    [
      'names a loss before anything else',
      { lostAt: daysAgo(0.2), refutedAt: daysAgo(0.1), scheduledSince: 9, verifiedAt: daysAgo(9) },
      'backup_lost',
    ],
  ])('%s', (_, change, code) => {
    expect(codeOf(change)).toBe(code);
  });

  it.each<[string, Partial<BackupHistory>, string | null]>([
    ['two days', { verifiedAt: daysAgo(2), scheduledSince: 2 }, null],
    ['more than two days', { verifiedAt: daysAgo(2.01), scheduledSince: 2 }, 'backup_proof_old'],
    ['a month, with no run since: the service was stopped', { verifiedAt: daysAgo(30), scheduledSince: 0 }, null],
    ['a month, with one run since: it may be under way', { verifiedAt: daysAgo(30), scheduledSince: 1 }, null],
    ['a month, without a schedule', { verifiedAt: daysAgo(30), scheduledSince: 9, periodMs: null }, null],
    ['a month, where none is wanted', { verifiedAt: daysAgo(30), scheduledSince: 9, verify: 'never' }, null],
    ['nine days, one wanted a week', { verifiedAt: daysAgo(9), scheduledSince: 9, verify: 'weekly' }, null],
    [
      'ten days, one wanted a week',
      { verifiedAt: daysAgo(10), scheduledSince: 10, verify: 'weekly' },
      'backup_proof_old',
    ],
    ['a few hours, hourly', { verifiedAt: daysAgo(0.9), scheduledSince: 20, periodMs: DAY_MS / 24 }, null],
    [
      'a day and more, hourly',
      { verifiedAt: daysAgo(1.1), scheduledSince: 26, periodMs: DAY_MS / 24 },
      'backup_proof_old',
    ],
    ['for ever', { ...NEVER_PROVEN, scheduledSince: 3, firstScheduledAt: daysAgo(3) }, 'backup_proof_old'],
    ['for ever, which is two days', { ...NEVER_PROVEN, scheduledSince: 2, firstScheduledAt: daysAgo(1.5) }, null],
  ])('about a proof that is missing for %s', (_, change, code) => {
    expect(codeOf(change)).toBe(code);
  });

  it('says since when the problem exists, and keeps its text while it lasts', () => {
    const old = { ...HEALTHY, verifiedAt: daysAgo(3), scheduledSince: 2 };
    const expected = {
      code: 'backup_proof_old',
      message: 'The newest verified backup was verified at 2026-05-17T12:00:00.000Z; no later one is.',
      at: daysAgo(1),
    };
    expect(alarmOf(old, NOW)).toEqual(expected);
    expect(alarmOf({ ...old, scheduledSince: 5 }, new Date(NOW.getTime() + 3 * DAY_MS))).toEqual(expected);
  });
});
