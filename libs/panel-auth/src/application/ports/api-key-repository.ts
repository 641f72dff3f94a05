import type { Uuid } from '#kernel/crypto/uuid';
import type { ActiveKeyCounts, ApiKey } from '../../domain/api-key.js';

/** Whose keys are meant: a creator's, and with a bound credential only those of that organisation. */
export interface KeyOwner {
  readonly creatorId: Uuid;
  /** Null means all of the creator's keys, bound or not. */
  readonly boundTo: Uuid | null;
}

export abstract class ApiKeyRepository {
  abstract insert(key: ApiKey, sha256: Buffer): Promise<void>;
  /** Newest first, revoked and expired ones too. */
  abstract list(owner: KeyOwner): Promise<readonly ApiKey[]>;
  /**
   * False when the owner has no such key. Revoking again changes nothing and is true.
   */
  abstract revoke(id: Uuid, owner: KeyOwner, at: Date): Promise<boolean>;
  /** Counts what is neither revoked nor expired at `now`; the caller has locked the user and the organisation. */
  abstract countActive(creatorId: Uuid, organisationId: Uuid | null, now: Date): Promise<ActiveKeyCounts>;
  /** Moves `lastUsedAt` forward, never back. */
  abstract noteUses(uses: ReadonlyMap<Uuid, Date>): Promise<void>;
}
