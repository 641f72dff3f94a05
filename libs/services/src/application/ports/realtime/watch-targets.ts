import type { Uuid } from '#kernel/crypto/uuid';
import type { OrganisationScope } from '../../../domain/organisation-scope.js';

/** Tells what may be watched. The panel's own infrastructure is none of it. */
export abstract class WatchTargets {
  /** Those of the services that exist in the scope. */
  abstract services(scope: OrganisationScope, ids: readonly Uuid[]): Promise<ReadonlySet<Uuid>>;
  /** Those of the deployments that exist in the scope, each with its service. */
  abstract deployments(scope: OrganisationScope, ids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, Uuid>>;
}
