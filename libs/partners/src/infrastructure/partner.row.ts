import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Uuid } from '#kernel/crypto/uuid';
import type { PartnerType } from '../domain/partner.js';

@Entity({ schema: 'partners', name: 'partners' })
export class PartnerRow {
  @PrimaryColumn('uuid') id: Uuid;
  @Column('text') name: string;
  @Column('text') type: PartnerType;
  @Column('uuid', { name: 'parent_id', nullable: true }) parentId: Uuid | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
}
