import { Injectable } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { ContactRepository } from '../application/ports/contact-repository.js';
import type { Contact, NewContact } from '../domain/contact.js';
import { ContactRow, toContact } from './contact.row.js';

@Injectable()
export class TypeOrmContactRepository extends ContactRepository {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async insert(contact: NewContact): Promise<Contact> {
    const writer = this.transactions.writer;
    const [{ number }] = await writer.query<[{ number: string }]>(
      `select nextval('customers.contact_numbers') as number`,
    );
    const row: ContactRow = { ...contact, number };
    await writer.insert(ContactRow, row);
    return toContact(row);
  }

  async find(customerId: Uuid, id: Uuid): Promise<Contact | null> {
    const row = await this.transactions.reader.findOneBy(ContactRow, { id, customerId });
    return row && toContact(row);
  }

  async update({ id, humanId: _, customerId, createdAt: __, ...changes }: Contact): Promise<void> {
    await this.transactions.writer.update(ContactRow, { id, customerId }, changes);
  }

  async demotePrimary(customerId: Uuid, at: Date): Promise<void> {
    await this.transactions.writer.update(
      ContactRow,
      { customerId, isPrimary: true },
      { isPrimary: false, updatedAt: at },
    );
  }

  async remove(customerId: Uuid, id: Uuid): Promise<boolean> {
    const { affected } = await this.transactions.writer.delete(ContactRow, { id, customerId });
    return affected === 1;
  }
}
