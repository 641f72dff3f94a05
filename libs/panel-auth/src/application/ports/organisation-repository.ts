import type { Uuid } from '#kernel/crypto/uuid';
import type { Membership } from '../../domain/membership.js';
import type { Lineage, Organisation } from '../../domain/organisation.js';

export abstract class OrganisationRepository {
  abstract get(id: Uuid): Promise<Organisation | null>;
  /** Locks the row until the transaction ends. */
  abstract lock(id: Uuid): Promise<void>;
  /** Locks the organisation and all above it until the transaction ends, the topmost first. */
  abstract lockLineage(id: Uuid): Promise<void>;
  /** Null if the organisation does not exist. */
  abstract lineage(id: Uuid): Promise<Lineage | null>;
  /** The organisation itself and all below it; empty if it does not exist. */
  abstract subtree(id: Uuid): Promise<readonly Uuid[]>;
  abstract list(): Promise<readonly Organisation[]>;
  abstract insert(organisation: Organisation): Promise<void>;
}

export abstract class MembershipRepository {
  abstract ofUser(userId: Uuid): Promise<readonly Membership[]>;
  abstract ofOrganisation(organisationId: Uuid): Promise<readonly Membership[]>;
  /** Adds the membership, or replaces the role and permissions of the existing one and keeps its date. */
  abstract put(membership: Membership): Promise<void>;
  /** False if there was none. */
  abstract remove(userId: Uuid, organisationId: Uuid): Promise<boolean>;
}
