import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Permission, Role } from '../domain/permissions.js';

@Entity({ schema: 'panel_auth', name: 'organisations' })
export class OrganisationRow {
  @PrimaryColumn('uuid') id: Uuid;
  @Column('text') name: string;
  @Column('uuid', { name: 'parent_id', nullable: true }) parentId: Uuid | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
}

@Entity({ schema: 'panel_auth', name: 'memberships' })
export class MembershipRow {
  @PrimaryColumn('uuid', { name: 'user_id' }) userId: Uuid;
  @PrimaryColumn('uuid', { name: 'organisation_id' }) organisationId: Uuid;
  @Column('text') role: Role;
  @Column('text', { array: true, nullable: true }) permissions: Permission[] | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
}
