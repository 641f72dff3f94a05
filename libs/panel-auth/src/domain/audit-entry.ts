import type { Uuid } from '#kernel/crypto/uuid';

export const AUDIT_ACTIONS = [
  'session.created',
  'session.ended',
  'sign_in.refused',
  'user.created',
  'user.role_changed',
  'user.disabled',
  'user.credential_set',
  'organisation.created',
  'membership.added',
  'membership.removed',
  'api_key.created',
  'api_key.revoked',
  'secret.written',
  'secret.deleted',
  'secrets.rotated',
  'quota.set',
  'backup_key.set',
  'service.source_read',
  'domain.added',
  'domain.changed',
  'domain.removed',
  'credentials.revealed',
  'credentials.rotated',
  'backup.created',
  'backup.downloaded',
  'backup.deleted',
  'backup.restored',
  'backup.policy_set',
  'mcp.called',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/**
 * Who did something: the user, and the key if one was used. Both null for the staff CLI and for unauthenticated
 * requests.
 */
export interface AuditActor {
  readonly userId: Uuid | null;
  readonly apiKeyId: Uuid | null;
}

/** One entry of the append-only log. `detail` never contains a secret. */
export interface AuditEntry {
  readonly id: Uuid;
  readonly at: Date;
  readonly action: AuditAction;
  readonly actor: AuditActor;
  readonly organisationId: Uuid | null;
  /** The target, such as the id of a key or the name of a secret. */
  readonly target: string | null;
  readonly detail: Readonly<Record<string, string | number | boolean | null>>;
}

export type NewAuditEntry = Omit<AuditEntry, 'id' | 'at'>;
