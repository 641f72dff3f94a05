import type { Uuid } from '#kernel/crypto/uuid';
import type { OrganisationScope } from '#libs/services';
import type { Analysis } from '../../domain/analysis.js';

/** What a result is remembered by. */
export interface CacheKey {
  readonly organisationId: Uuid | null;
  readonly repoUrl: string;
  readonly commitSha: string;
  readonly promptVersion: number;
  readonly model: string;
}

export abstract class AnalysisRepository {
  abstract insert(analysis: Analysis): Promise<void>;
  abstract get(scope: OrganisationScope, id: Uuid): Promise<Analysis | null>;
  /** Locks the row until the transaction ends. */
  abstract getForUpdate(scope: OrganisationScope, id: Uuid): Promise<Analysis | null>;
  /** Everything that changes. A lease of a worker stays as it is. */
  abstract update(analysis: Analysis): Promise<void>;
  /** A worker holds it until then. Null gives it up. */
  abstract lease(id: Uuid, until: Date | null): Promise<void>;
  /** Until when a worker holds it; null: none does. To be asked under the lock. */
  abstract leasedUntil(id: Uuid): Promise<Date | null>;
  /** The newest complete one. */
  abstract cached(key: CacheKey): Promise<Analysis | null>;
  /** Whether the organisation has a complete one of the repository, of whatever commit. */
  abstract hasComplete(key: Omit<CacheKey, 'commitSha'>): Promise<boolean>;
  /** One that waits or runs and asks for the same. */
  abstract underWay(analysis: Analysis): Promise<Analysis | null>;
  /** Those that wait, and those whose worker is gone. Oldest first. */
  abstract withoutWorker(now: Date, limit: number): Promise<readonly Uuid[]>;
}
