import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Uuid } from '#kernel/crypto/uuid';
import type { PricingModel } from '../domain/contracts/pricing-model.js';

@Entity({ schema: 'billing', name: 'contracts' })
export class ContractRow {
  @PrimaryColumn('uuid') id: Uuid;
  @Column('uuid', { name: 'partner_id' }) partnerId: Uuid;
  @Column('text') reference: string;
  @Column('text') model: PricingModel;
  @Column('text') currency: string;
  @Column('bigint', { name: 'unit_price_cents' }) unitPriceCents: string;
  @Column('date', { name: 'valid_from' }) validFrom: string;
  @Column('date', { name: 'valid_to', nullable: true }) validTo: string | null;
  @Column('integer', { name: 'license_cap', nullable: true }) licenseCap: number | null;
  @Column('integer', { name: 'pack_size', nullable: true }) packSize: number | null;
  @Column('text', { array: true }) editions: string[];
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
}
