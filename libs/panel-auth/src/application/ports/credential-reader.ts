import type { Uuid } from '#kernel/crypto/uuid';
import type { ApiKey } from '../../domain/api-key.js';
import type { Membership } from '../../domain/membership.js';
import type { Lineage } from '../../domain/organisation.js';
import type { Session } from '../../domain/session.js';
import type { User } from '../../domain/user.js';

/** A user with the places it has in the tree of organisations. */
export interface PlacedUser {
  readonly user: User;
  readonly memberships: readonly Membership[];
  /** Of every organisation that the user is a member of, and of the one its key is bound to. */
  readonly lineages: ReadonlyMap<Uuid, Lineage>;
}

export interface PresentedKey extends PlacedUser {
  readonly key: ApiKey;
}

export interface PresentedSession extends PlacedUser {
  readonly session: Session;
  /** Hash of the host-only cookie that must come with the session; null where none was set. */
  readonly bindingSha256: Buffer | null;
  /** The sealed tokens of the provider; null for a session that no provider made. */
  readonly sealedTokens: Buffer | null;
}

/** The hot reads of authentication: one statement each, nothing cached, so that a revocation holds at once. */
export abstract class CredentialReader {
  abstract key(sha256: Buffer): Promise<PresentedKey | null>;
  abstract session(sha256: Buffer): Promise<PresentedSession | null>;
  /** Those of the given keys and sessions that no longer count at `now`, for connections that stay open. */
  abstract ended(credentialIds: readonly Uuid[], now: Date): Promise<readonly Uuid[]>;
}
