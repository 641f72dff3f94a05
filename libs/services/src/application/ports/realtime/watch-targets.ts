import type { Uuid } from '#kernel/crypto/uuid';
import type { OrganisationScope } from '../../../domain/organisation-scope.js';

/** Finds what a caller may watch. The panel's own services cannot be watched. */
export abstract class WatchTargets {
  /** The services among these that exist in the scope. */
  abstract services(scope: OrganisationScope, ids: readonly Uuid[]): Promise<ReadonlySet<Uuid>>;
  /** The deployments among these that exist in the scope, with the id of their service. */
  abstract deployments(scope: OrganisationScope, ids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, Uuid>>;
}
