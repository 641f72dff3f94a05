import type { Uuid } from '#kernel/crypto/uuid';
import type { ApiKey } from '../../domain/api-key.js';
import type { Membership } from '../../domain/membership.js';
import type { Lineage } from '../../domain/organisation.js';
import type { Session } from '../../domain/session.js';
import type { User } from '../../domain/user.js';

/** A user with its memberships in the organisation tree. */
export interface PlacedUser {
  readonly user: User;
  readonly memberships: readonly Membership[];
  /** For every organisation that the user is a member of, and the one its key is bound to. */
  readonly lineages: ReadonlyMap<Uuid, Lineage>;
}

export interface PresentedKey extends PlacedUser {
  readonly key: ApiKey;
}

export interface PresentedSession extends PlacedUser {
  readonly session: Session;
  /** Hash of the host-only cookie that must come with the session; null if none was set. */
  readonly bindingSha256: Buffer | null;
  /** The provider's sealed tokens; null for a session without a provider. */
  readonly sealedTokens: Buffer | null;
}

/** The hot reads of authentication: one statement each, nothing cached, so that a revocation is effective at once. */
export abstract class CredentialReader {
  abstract key(sha256: Buffer): Promise<PresentedKey | null>;
  abstract session(sha256: Buffer): Promise<PresentedSession | null>;
  /** The given keys and sessions that are no longer valid at `now`, for connections that stay open. */
  abstract ended(credentialIds: readonly Uuid[], now: Date): Promise<readonly Uuid[]>;
}
