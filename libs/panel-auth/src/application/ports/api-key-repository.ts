import type { Uuid } from '#kernel/crypto/uuid';
import type { ActiveKeyCounts, ApiKey } from '../../domain/api-key.js';

/** Which keys are meant: those of a creator, and with a bound credential only those of that organisation. */
export interface KeyOwner {
  readonly creatorId: Uuid;
  /** Null means all of the creator's keys, bound or not. */
  readonly boundTo: Uuid | null;
}

export abstract class ApiKeyRepository {
  abstract insert(key: ApiKey, sha256: Buffer): Promise<void>;
  /** Newest first, including revoked and expired ones. */
  abstract list(owner: KeyOwner): Promise<readonly ApiKey[]>;
  /** False if the owner has no such key. Revoking again changes nothing and returns true. */
  abstract revoke(id: Uuid, owner: KeyOwner, at: Date): Promise<boolean>;
  /** Counts keys that are neither revoked nor expired at `now`; the caller has locked the user and the organisation. */
  abstract countActive(creatorId: Uuid, organisationId: Uuid | null, now: Date): Promise<ActiveKeyCounts>;
  /** Moves `lastUsedAt` forward, never back. */
  abstract noteUses(uses: ReadonlyMap<Uuid, Date>): Promise<void>;
}
