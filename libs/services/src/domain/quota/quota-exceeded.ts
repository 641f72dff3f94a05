import { Conflict, type Violation } from '#kernel/errors';
import type { QuotaKind, QuotaLimits, QuotaUse } from './quota.js';

/** Some organisation of a lineage has more than it may have. */
export interface Overdraft {
  /** False for an organisation above the one that asks: its figures are not for the eyes of who asks. */
  readonly isOwn: boolean;
  readonly kinds: readonly QuotaKind[];
  readonly limits: QuotaLimits;
  readonly use: QuotaUse;
}

/** In words that a customer may read. */
export function describeOverdraft(overdraft: Overdraft): string {
  const whose = overdraft.isOwn ? 'The quota of the organisation' : 'The quota of an organisation above';
  return `${whose} does not allow this: ${overdraft.kinds.map((kind) => told(overdraft, kind)).join(', ')}.`;
}

export class QuotaExceeded extends Conflict {
  override readonly violations: readonly Violation[];

  constructor(overdraft: Overdraft) {
    super('conflict', describeOverdraft(overdraft));
    this.violations = overdraft.kinds.map((kind) => ({
      path: kind === 'services' ? '' : `/resourceLimits/${kind}`,
      code: 'quota_exceeded',
      message: told(overdraft, kind),
    }));
  }
}

function told({ isOwn, limits, use }: Overdraft, kind: QuotaKind): string {
  return isOwn ? `${kind} ${use[kind]} of ${limits[kind]}` : `not enough ${kind} left`;
}
