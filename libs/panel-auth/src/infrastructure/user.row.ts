import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Role } from '../domain/permissions.js';

@Entity({ schema: 'panel_auth', name: 'users' })
export class UserRow {
  @PrimaryColumn('uuid') id: Uuid;
  @Column('text') email: string;
  @Column('text') role: Role;
  @Column('text', { nullable: true }) issuer: string | null;
  @Column('text', { nullable: true }) subject: string | null;
  @Column('timestamptz', { name: 'disabled_at', nullable: true }) disabledAt: Date | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
}
