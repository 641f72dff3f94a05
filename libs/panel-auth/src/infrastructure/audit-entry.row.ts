import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Uuid } from '#kernel/crypto/uuid';
import type { AuditAction, AuditEntry } from '../domain/audit-entry.js';

@Entity({ schema: 'panel_auth', name: 'audit_log' })
export class AuditEntryRow {
  /** The write order; `id` is what callers see. */
  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'ALWAYS' }) seq: string;
  @Column('uuid', { unique: true }) id: Uuid;
  @Column('timestamptz') at: Date;
  @Column('text') action: AuditAction;
  @Column('uuid', { name: 'user_id', nullable: true }) userId: Uuid | null;
  @Column('uuid', { name: 'api_key_id', nullable: true }) apiKeyId: Uuid | null;
  @Column('uuid', { name: 'organisation_id', nullable: true }) organisationId: Uuid | null;
  @Column('text', { nullable: true }) target: string | null;
  @Column('jsonb') detail: AuditEntry['detail'];
}
