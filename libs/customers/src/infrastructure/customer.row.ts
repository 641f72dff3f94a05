import { Column, Entity, PrimaryColumn } from 'typeorm';
import { humanId } from '#kernel/text/human-id';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Customer, CustomerStatus } from '../domain/customer.js';

@Entity({ schema: 'customers', name: 'customers' })
export class CustomerRow {
  @PrimaryColumn('uuid') id: Uuid;
  @Column('bigint') number: string;
  @Column('uuid', { name: 'partner_id' }) partnerId: Uuid;
  @Column('text', { name: 'external_ref' }) externalRef: string;
  @Column('text') name: string;
  @Column('text', { name: 'legal_name' }) legalName: string;
  @Column('text', { name: 'vat_id' }) vatId: string;
  @Column('text') email: string;
  @Column('text') phone: string;
  @Column('text', { name: 'billing_street' }) billingStreet: string;
  @Column('text', { name: 'billing_postal_code' }) billingPostalCode: string;
  @Column('text', { name: 'billing_city' }) billingCity: string;
  @Column('text', { name: 'billing_region' }) billingRegion: string;
  @Column('text', { name: 'billing_country' }) billingCountry: string;
  @Column('text', { name: 'postal_street' }) postalStreet: string;
  @Column('text', { name: 'postal_postal_code' }) postalPostalCode: string;
  @Column('text', { name: 'postal_city' }) postalCity: string;
  @Column('text', { name: 'postal_region' }) postalRegion: string;
  @Column('text', { name: 'postal_country' }) postalCountry: string;
  @Column('text') website: string;
  @Column('text', { name: 'owner_email' }) ownerEmail: string;
  @Column('text') status: CustomerStatus;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
  @Column('timestamptz', { name: 'deleted_at', nullable: true, select: false }) deletedAt: Date | null;
}

/** The columns that hand-written statements select from `customers.customers c`, named like those of the row. */
export const CUSTOMER_COLUMNS = `
  c.id, c.number, c.partner_id as "partnerId", c.external_ref as "externalRef", c.name, c.legal_name as "legalName",
  c.vat_id as "vatId", c.email, c.phone, c.billing_street as "billingStreet",
  c.billing_postal_code as "billingPostalCode", c.billing_city as "billingCity", c.billing_region as "billingRegion",
  c.billing_country as "billingCountry", c.postal_street as "postalStreet", c.postal_postal_code as "postalPostalCode",
  c.postal_city as "postalCity", c.postal_region as "postalRegion", c.postal_country as "postalCountry", c.website,
  c.owner_email as "ownerEmail", c.status, c.created_at as "createdAt"`;

/**
 * Condition for rows of `customers.customers c` that are not deleted and belong to the subtree of partner `ancestor`.
 */
export const livingInSubtree = (ancestor: string) => `c.deleted_at is null and exists (
  select 1 from partners.subtrees s where s.ancestor_id = ${ancestor} and s.descendant_id = c.partner_id)`;

export type CustomerRecord = Omit<CustomerRow, 'deletedAt'>;

export function toCustomer({ id, number, partnerId, createdAt, ...details }: CustomerRecord): Customer {
  return { id, humanId: humanId('customer', number), partnerId, ...details, createdAt };
}
