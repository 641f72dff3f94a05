import type { Uuid } from '#kernel/crypto/uuid';
import type { Membership } from './membership.js';
import type { Organisation } from './organisation.js';
import type { Role } from './permissions.js';

export interface ListedOrganisation extends Organisation {
  /** How many people belong to it by a membership of its own. */
  readonly members: number;
}

/** A membership with who it is about. */
export interface Member extends Membership {
  readonly email: string;
  /** The role of the user, which no membership goes beyond. */
  readonly userRole: Role;
  readonly isDisabled: boolean;
  /** False for somebody who was entered and has not signed in with the identity provider yet. */
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
