import type { Uuid } from '#kernel/crypto/uuid';

export const VERIFY_RULES = ['always', 'weekly', 'never'] as const;
export type VerifyRule = (typeof VERIFY_RULES)[number];

export interface BackupPolicy {
  readonly serviceId: Uuid;
  /** Five cron fields, in UTC; null: backups are made on demand only. */
  readonly schedule: string | null;
  readonly keepDaily: number;
  readonly keepWeekly: number;
  readonly keepMonthly: number;
  readonly verify: VerifyRule;
  readonly pitr: boolean;
  /** Null without a schedule. */
  readonly nextRunAt: Date | null;
}

/** The policy of a service whose owner has not set one. */
export function defaultPolicy(serviceId: Uuid): BackupPolicy {
  return {
    serviceId,
    schedule: null,
    keepDaily: 7,
    keepWeekly: 4,
    keepMonthly: 6,
    verify: 'always',
    pitr: false,
    nextRunAt: null,
  };
}

const WEEK_MS = 7 * 24 * 3_600_000;

/**
 * Why a new backup is not verified; null when it has to be verified.
 * @param lastProofAt when a backup of the service was last verified; null when none has been
 */
export function reasonToSkipProof(rule: VerifyRule, lastProofAt: Date | null, now: Date): string | null {
  if (rule === 'never') return 'The policy of the service verifies no backups.';
  const sinceProof = lastProofAt ? now.getTime() - lastProofAt.getTime() : WEEK_MS;
  // A verification dated in the future comes from a clock that ran ahead. Its age is unknown, so verify again.
  if (rule === 'weekly' && sinceProof >= 0 && sinceProof < WEEK_MS)
    return 'The policy of the service verifies one backup a week.';
  return null;
}
