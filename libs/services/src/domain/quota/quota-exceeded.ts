import { Conflict, type Violation } from '#kernel/errors';
import type { QuotaKind, QuotaLimits, QuotaUse } from './quota.js';

/** An organisation, or one above it, uses more than its quota. */
export interface Overdraft {
  /** False for an organisation above the caller's own, whose figures the caller must not see. */
  readonly isOwn: boolean;
  readonly kinds: readonly QuotaKind[];
  readonly limits: QuotaLimits;
  readonly use: QuotaUse;
}

/** A message that customers may see. */
export function describeOverdraft(overdraft: Overdraft): string {
  const whose = overdraft.isOwn ? 'The quota of the organisation' : 'The quota of an organisation above';
  return `${whose} does not allow this: ${overdraft.kinds.map((kind) => describe(overdraft, kind)).join(', ')}.`;
}

export class QuotaExceeded extends Conflict {
  override readonly violations: readonly Violation[];

  constructor(overdraft: Overdraft) {
    super('conflict', describeOverdraft(overdraft));
    this.violations = overdraft.kinds.map((kind) => ({
      path: kind === 'services' ? '' : `/resourceLimits/${kind}`,
      code: 'quota_exceeded',
      message: describe(overdraft, kind),
    }));
  }
}

function describe({ isOwn, limits, use }: Overdraft, kind: QuotaKind): string {
  return isOwn ? `${kind} ${use[kind]} of ${limits[kind]}` : `not enough ${kind} left`;
}
