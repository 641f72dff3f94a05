import type { Uuid } from '#kernel/crypto/uuid';
import type { OrganisationScope } from '../../domain/organisation-scope.js';
import type { QuotaLimits, QuotaUse } from '../../domain/quota/quota.js';

export abstract class QuotaRepository {
  /** Of those of the organisations for which limits were set. */
  abstract limits(organisationIds: readonly Uuid[]): Promise<ReadonlyMap<Uuid, QuotaLimits>>;
  abstract put(organisationId: Uuid, limits: QuotaLimits, now: Date): Promise<void>;
  /** All services of the scope that are not gone: those too that are stopped, suspended or about to be removed. */
  abstract use(scope: OrganisationScope): Promise<QuotaUse>;
}
