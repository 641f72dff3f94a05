import { Invalid } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import type { ChangeKind, ChangePlans, ChangeRequest } from '#libs/automation';
import { PermissionMissing } from '#libs/panel-auth';
import type { McpAccess } from '../access/mcp-access.js';
import type { DescribedChange, PlannedChange } from './planned-change.js';

export interface KeptChange extends DescribedChange {
  readonly planId: Uuid;
  readonly expiresAt: Date;
}

/**
 * Plans changes and applies them. A plan is applied at most once, and only if nothing has changed since it was made.
 */
export class ChangeDesk {
  readonly #byKind: ReadonlyMap<ChangeKind, PlannedChange>;

  constructor(
    readonly changes: readonly PlannedChange[],
    private readonly plans: ChangePlans,
  ) {
    this.#byKind = new Map(changes.map((change) => [change.kind, change]));
  }

  /** @throws PermissionMissing, and the errors of the REST route */
  async plan(access: McpAccess, kind: ChangeKind, request: ChangeRequest): Promise<KeptChange> {
    const change = this.permitted(access, kind);
    // Read the basis first, so that a change during planning makes the plan outdated.
    const basis = basisOf(access, await change.basis(access, request));
    const described = await change.describe(access, request);
    const { id, expiresAt } = await this.plans.keep(access.keyId, { kind, basis, request });
    return { ...described, planId: id, expiresAt };
  }

  /** @throws NotFound, PlanUsed, PlanExpired, PlanOutdated, PermissionMissing, and the errors of the REST route */
  async apply(access: McpAccess, planId: Uuid): Promise<{ readonly kind: ChangeKind; readonly result: object }> {
    const { kind, request } = await this.plans.get(access.keyId, planId);
    const change = this.permitted(access, kind);
    const basis = basisOf(access, await change.basis(access, request));
    await this.plans.claim(access.keyId, planId, basis);
    return { kind, result: await change.apply(access, request) };
  }

  private permitted(access: McpAccess, kind: ChangeKind): PlannedChange {
    const change = this.#byKind.get(kind);
    if (!change) throw Invalid.field('kind', 'is not known here');
    if (!access.hasAnyOf(change.anyOf)) throw new PermissionMissing();
    return change;
  }
}

/** Includes the area, so that a plan made in one area cannot be applied in the other, where it means something else. */
function basisOf({ area, organisationId }: McpAccess, basis: string): string {
  return JSON.stringify([area, organisationId, basis]);
}
