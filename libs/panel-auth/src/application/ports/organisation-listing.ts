import type { Uuid } from '#kernel/crypto/uuid';
import type { ListedOrganisation, Member, OrganisationFilter } from '../../domain/listed-organisation.js';

/** Read-only queries of organisations and their members. */
export abstract class OrganisationListing {
  /** By name. */
  abstract page(
    filter: OrganisationFilter,
    page: number,
    pageSize: number,
  ): Promise<{ readonly organisations: readonly ListedOrganisation[]; readonly total: number }>;
  /** Null for one that does not exist. */
  abstract one(id: Uuid): Promise<ListedOrganisation | null>;
  /** By e-mail address, without those of organisations above. */
  abstract members(organisationId: Uuid): Promise<readonly Member[]>;
}
