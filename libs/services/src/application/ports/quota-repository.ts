import type { Uuid } from '#kernel/crypto/uuid';
import type { OrganisationScope } from '../../domain/organisation-scope.js';
import type { QuotaLimits, QuotaUse } from '../../domain/quota/quota.js';

export abstract class QuotaRepository {
  /** The limits that were set. Organisations without any are omitted. */
  abstract limits(organisationIds: readonly Uuid[]): Promise<ReadonlyMap<Uuid, QuotaLimits>>;
  abstract put(organisationId: Uuid, limits: QuotaLimits, now: Date): Promise<void>;
  /** All services of the scope that exist, including stopped and suspended ones and those being removed. */
  abstract use(scope: OrganisationScope): Promise<QuotaUse>;
}
