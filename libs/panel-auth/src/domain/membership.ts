import type { Uuid } from '#kernel/crypto/uuid';
import type { Lineage } from './organisation.js';
import { intersect, permissionsOf, type Permission, type PermissionSet, type Role } from './permissions.js';

/** A user's membership in an organisation, which applies to all organisations below it too. */
export interface Membership {
  readonly userId: Uuid;
  readonly organisationId: Uuid;
  readonly role: Role;
  /** Narrows the role to these; null keeps all of it. */
  readonly permissions: readonly Permission[] | null;
  readonly createdAt: Date;
}

/**
 * A user's permissions in one organisation: the union of its memberships there and above, never more than the user's
 * own role. Empty for a customer who does not belong to it; everything for an admin, who needs no membership.
 */
export function permissionsHeld(userRole: Role, memberships: readonly Membership[], lineage: Lineage): PermissionSet {
  if (userRole === 'admin') return permissionsOf('admin');
  const given = memberships
    .filter((membership) => lineage.isAtOrBelow(membership.organisationId))
    .flatMap((membership) => [...membershipPermissions(membership)]);
  return intersect(new Set(given), permissionsOf(userRole));
}

/** The organisation of a customer if a request names none: the one joined first. */
export function homeOrganisation(memberships: readonly Membership[]): Uuid | null {
  const [first] = [...memberships].sort(
    (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.organisationId < b.organisationId ? -1 : 1),
  );
  return first?.organisationId ?? null;
}

function membershipPermissions(membership: Membership): PermissionSet {
  const ofRole = permissionsOf(membership.role);
  return membership.permissions ? intersect(ofRole, new Set(membership.permissions)) : ofRole;
}
