import type { Uuid } from '#kernel/crypto/uuid';

export const VERIFY_RULES = ['always', 'weekly', 'never'] as const;
export type VerifyRule = (typeof VERIFY_RULES)[number];

export interface BackupPolicy {
  readonly serviceId: Uuid;
  /** Five cron fields, in UTC; null: on demand only. */
  readonly schedule: string | null;
  readonly keepDaily: number;
  readonly keepWeekly: number;
  readonly keepMonthly: number;
  readonly verify: VerifyRule;
  readonly pitr: boolean;
  /** Null without a schedule. */
  readonly nextRunAt: Date | null;
}

/** What holds for a service whose owner has said nothing. */
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
 * Why a new backup is not verified; null when it is.
 * @param lastProofAt when one of the service was last verified
 */
export function reasonToSkipProof(rule: VerifyRule, lastProofAt: Date | null, now: Date): string | null {
  if (rule === 'never') return 'The policy of the service verifies no backups.';
  const sinceProof = lastProofAt ? now.getTime() - lastProofAt.getTime() : WEEK_MS;
  // A proof in the future was dated by a clock that was ahead: nobody knows how old it is.
  if (rule === 'weekly' && sinceProof >= 0 && sinceProof < WEEK_MS)
    return 'The policy of the service verifies one backup a week.';
  return null;
}
