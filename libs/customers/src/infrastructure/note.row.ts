import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { Uuid } from '#kernel/crypto/uuid';
import type { CustomerNote } from '../domain/customer-note.js';

@Entity({ schema: 'customers', name: 'notes' })
export class NoteRow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id: string;
  @Column('uuid', { name: 'customer_id' }) customerId: Uuid;
  @Column('text') author: string;
  @Column('text') body: string;
  @Column('timestamptz') at: Date;
}

export function toNote({ id, customerId, author, body, at }: NoteRow): CustomerNote {
  return { id: Number(id), customerId, author, body, at };
}
