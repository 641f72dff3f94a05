import type { Uuid } from '#kernel/crypto/uuid';
import type { OrganisationScope } from '#libs/services';
import type { Analysis } from '../../domain/analysis.js';

/** The key under which a result is cached. */
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
  /** Stores everything that changes, except the lease. */
  abstract update(analysis: Analysis): Promise<void>;
  /** Leases the analysis to a worker until then; null ends the lease. */
  abstract lease(id: Uuid, until: Date | null): Promise<void>;
  /** When the lease ends; null if there is none. Call it under the lock. */
  abstract leasedUntil(id: Uuid): Promise<Date | null>;
  /** The newest completed analysis for the key. */
  abstract cached(key: CacheKey): Promise<Analysis | null>;
  /** Whether the organisation has a completed analysis of any commit of the repository. */
  abstract hasComplete(key: Omit<CacheKey, 'commitSha'>): Promise<boolean>;
  /** A queued or running analysis of the same request. */
  abstract underWay(analysis: Analysis): Promise<Analysis | null>;
  /** Queued analyses, and those whose worker is gone, oldest first. */
  abstract withoutWorker(now: Date, limit: number): Promise<readonly Uuid[]>;
}
