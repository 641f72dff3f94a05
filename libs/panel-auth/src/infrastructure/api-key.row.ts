import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Permission, Role, Scope } from '../domain/permissions.js';

@Entity({ schema: 'panel_auth', name: 'api_keys' })
export class ApiKeyRow {
  @PrimaryColumn('uuid') id: Uuid;
  @Column('uuid', { name: 'creator_id' }) creatorId: Uuid;
  @Column('uuid', { name: 'organisation_id', nullable: true }) organisationId: Uuid | null;
  @Column('text') name: string;
  @Column('text', { nullable: true }) description: string | null;
  @Column('text') prefix: string;
  @Column('bytea', { name: 'key_hash', select: false }) keyHash: Buffer;
  @Column('text') role: Role;
  @Column('text', { array: true, nullable: true }) scopes: Scope[] | null;
  @Column('text', { name: 'permissions_deny', array: true }) permissionsDeny: Permission[];
  @Column('integer', { name: 'rate_limit_rpm' }) rateLimitRpm: number;
  @Column('boolean', { name: 'is_service_account' }) isServiceAccount: boolean;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
  @Column('timestamptz', { name: 'last_used_at', nullable: true }) lastUsedAt: Date | null;
  @Column('timestamptz', { name: 'expires_at', nullable: true }) expiresAt: Date | null;
  @Column('timestamptz', { name: 'revoked_at', nullable: true }) revokedAt: Date | null;
}
