import type { Uuid } from '#kernel/crypto/uuid';
import { PlanExpired, PlanOutdated, PlanUsed } from './automation-errors.js';

/** How long a plan can be applied after it was shown. */
export const PLAN_LIFETIME_MS = 10 * 60_000;

export const CHANGE_KINDS = ['compose', 'template', 'git', 'update', 'restore'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** A change that was described to the caller, and can be applied once by the key that requested it. */
export interface ChangePlan {
  readonly id: Uuid;
  readonly apiKeyId: Uuid;
  readonly kind: ChangeKind;
  /** What the plan is based on, such as the state of the service. If it has changed, the plan is outdated. */
  readonly basis: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly appliedAt: Date | null;
}

export function newChangePlan(given: Pick<ChangePlan, 'id' | 'apiKeyId' | 'kind' | 'basis'>, now: Date): ChangePlan {
  const expiresAt = new Date(now.getTime() + PLAN_LIFETIME_MS);
  return { ...given, createdAt: now, expiresAt, appliedAt: null };
}

/**
 * Marks the plan as applied.
 * @param basis the current state that the plan depends on
 * @throws PlanUsed, PlanExpired, PlanOutdated
 */
export function applied(plan: ChangePlan, basis: string, now: Date): ChangePlan {
  if (plan.appliedAt !== null) throw new PlanUsed();
  if (plan.expiresAt.getTime() <= now.getTime()) throw new PlanExpired();
  if (plan.basis !== basis) throw new PlanOutdated();
  return { ...plan, appliedAt: now };
}
