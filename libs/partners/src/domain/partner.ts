import { Invalid } from '#kernel/errors';
import { characterCount, textDefect } from '#kernel/text/plain-text';
import type { Uuid } from '#kernel/crypto/uuid';

export const PARTNER_TYPES = ['operator', 'distributor', 'reseller', 'hoster'] as const;

/** `operator` is the root of the tree: the company that runs Tenantry. It acts through staff and never has a token. */
export type PartnerType = (typeof PARTNER_TYPES)[number];

/** A hosting company or reseller: a node of the partner tree. */
export interface Partner {
  readonly id: Uuid;
  readonly name: string;
  readonly type: PartnerType;
  /** Null for a root. */
  readonly parentId: Uuid | null;
  readonly createdAt: Date;
}

/**
 * @param name trimmed; 1 to 200 characters
 * @throws Invalid naming the field, also for an operator below another partner
 */
export function newPartner(input: {
  id: Uuid;
  name: string;
  type: string;
  parentId: Uuid | null;
  createdAt: Date;
}): Partner {
  const name = partnerName(input.name);
  const type = PARTNER_TYPES.find((known) => known === input.type);
  if (!type) throw Invalid.field('type', `must be one of ${PARTNER_TYPES.join(', ')}`);
  if (type === 'operator' && input.parentId) throw Invalid.field('parent', 'must be empty for the operator');
  return { ...input, name, type };
}

/**
 * @returns the stored name, trimmed
 * @throws Invalid unless it has 1 to 200 characters
 */
export function partnerName(given: string): string {
  const name = given.trim();
  if (name === '' || characterCount(name) > 200) throw Invalid.field('name', 'must have 1 to 200 characters');
  const defect = textDefect(name);
  if (defect) throw Invalid.field('name', defect);
  return name;
}
