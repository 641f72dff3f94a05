import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Uuid } from '#kernel/crypto/uuid';

@Entity({ schema: 'panel_auth', name: 'sessions' })
export class SessionRow {
  @PrimaryColumn('uuid') id: Uuid;
  @Column('uuid', { name: 'user_id' }) userId: Uuid;
  @Column('bytea', { name: 'cookie_hash', select: false }) cookieHash: Buffer;
  @Column('bytea', { name: 'binding_hash', nullable: true, select: false }) bindingHash: Buffer | null;
  @Column('bytea', { name: 'sealed_tokens', nullable: true, select: false }) sealedTokens: Buffer | null;
  @Column('text', { name: 'user_agent', nullable: true }) userAgent: string | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
  @Column('timestamptz', { name: 'expires_at' }) expiresAt: Date;
}
