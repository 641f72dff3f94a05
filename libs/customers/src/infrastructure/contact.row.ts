import { Column, Entity, PrimaryColumn } from 'typeorm';
import { humanId } from '#kernel/text/human-id';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Contact } from '../domain/contact.js';

@Entity({ schema: 'customers', name: 'contacts' })
export class ContactRow {
  @PrimaryColumn('uuid') id: Uuid;
  @Column('bigint') number: string;
  @Column('uuid', { name: 'customer_id' }) customerId: Uuid;
  @Column('text', { name: 'first_name' }) firstName: string;
  @Column('text', { name: 'last_name' }) lastName: string;
  @Column('text') title: string;
  @Column('text') email: string;
  @Column('text') phone: string;
  @Column('text') locale: string;
  @Column('text') notes: string;
  @Column('boolean', { name: 'is_primary' }) isPrimary: boolean;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt: Date;
}

export function toContact({ id, number, customerId, createdAt, updatedAt, ...details }: ContactRow): Contact {
  return { id, humanId: humanId('contact', number), customerId, ...details, createdAt, updatedAt };
}
