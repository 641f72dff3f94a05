import type { Uuid } from '#kernel/crypto/uuid';
import type { Membership } from './membership.js';
import type { Organisation } from './organisation.js';
import type { Role } from './permissions.js';

export interface ListedOrganisation extends Organisation {
  /** Number of direct members, without those of organisations above it. */
  readonly members: number;
}

/** A membership with its user. */
export interface Member extends Membership {
  readonly email: string;
  /** The role of the user, which limits every membership. */
  readonly userRole: Role;
  readonly isDisabled: boolean;
  /** False for a user who was added but has not signed in with the identity provider yet. */
  readonly hasSignedIn: boolean;
}

/** Which organisations are listed. */
export interface OrganisationFilter {
  /** Those that the caller may see; null for all. */
  readonly within: readonly Uuid[] | null;
  /** Only these; null for all. */
  readonly ids: readonly Uuid[] | null;
  /** A part of the name; null for all. */
  readonly search: string | null;
}
