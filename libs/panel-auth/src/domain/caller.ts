import type { Uuid } from '#kernel/crypto/uuid';
import type { ApiKey } from './api-key.js';
import type { AuditActor } from './audit-entry.js';
import type { PermissionSet, Role } from './permissions.js';
import type { User } from './user.js';

/** The sender of an authenticated request, with the credential's current permissions. */
export interface Caller {
  readonly user: User;
  /** The effective role: a key may have a lower one than its creator. */
  readonly role: Role;
  readonly permissions: PermissionSet;
  /** The organisation the credential is confined to, with those below it; null for none. */
  readonly binding: Uuid | null;
  /** The user's own organisation: it owns the user's secrets and portal services. Null for a user without one. */
  readonly home: Uuid | null;
  /** The credential's permissions there; they differ from `permissions` for a key that is bound elsewhere. */
  readonly permissionsAtHome: PermissionSet;
  readonly credential: SessionCredential | KeyCredential;
}

export interface SessionCredential {
  readonly kind: 'session';
  readonly sessionId: Uuid;
}

export interface KeyCredential {
  readonly kind: 'api-key';
  readonly key: ApiKey;
}

export function actorOf(caller: Caller): AuditActor {
  return {
    userId: caller.user.id,
    apiKeyId: caller.credential.kind === 'api-key' ? caller.credential.key.id : null,
  };
}
