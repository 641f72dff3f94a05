import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Scope } from '../domain/scope.js';

@Entity({ schema: 'tokens', name: 'api_tokens' })
export class TokenRow {
  @PrimaryColumn('uuid') id: Uuid;
  @Column('uuid', { name: 'partner_id' }) partnerId: Uuid;
  @Column('text') label: string;
  @Column('text', { name: 'token_prefix' }) tokenPrefix: string;
  @Column('bytea', { name: 'token_hash', select: false }) tokenHash: Buffer;
  @Column('text') scope: Scope;
  @Column('uuid', { name: 'created_by' }) createdBy: Uuid;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
  @Column('timestamptz', { name: 'last_used_at', nullable: true }) lastUsedAt: Date | null;
  @Column('timestamptz', { name: 'revoked_at', nullable: true }) revokedAt: Date | null;
}
