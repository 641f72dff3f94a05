import { Injectable } from '@nestjs/common';
import type { PartnerSubtree } from '#libs/partners';
import { HotReader } from '#platform/database/batching/hot-reader';
import { NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { ContactQueries } from '../application/customer-queries.js';
import type { Contact } from '../domain/contact.js';
import { toContact, type ContactRow } from './contact.row.js';
import { livingInSubtree } from './customer.row.js';

/** A row without a contact distinguishes a customer without contacts from a missing customer. */
const CONTACTS = {
  name: 'contacts-of-customer',
  text: `select p.id, p.number, p.customer_id as "customerId", p.first_name as "firstName", p.last_name as "lastName",
      p.title, p.email, p.phone, p.locale, p.notes, p.is_primary as "isPrimary", p.created_at as "createdAt",
      p.updated_at as "updatedAt"
    from customers.customers c left join customers.contacts p on p.customer_id = c.id
    where c.id = $2 and ${livingInSubtree('$1')}
    order by p.is_primary desc, p.created_at desc, p.id desc`,
};

@Injectable()
export class SqlContactQueries extends ContactQueries {
  constructor(private readonly reader: HotReader) {
    super();
  }

  async list(subtree: PartnerSubtree, customerId: Uuid): Promise<Contact[]> {
    const rows = await this.reader.list<ContactRow | { id: null }>(CONTACTS, [subtree.rootId, customerId]);
    if (rows.length === 0) throw new NotFound();
    return rows.flatMap((row) => (row.id === null ? [] : [toContact(row)]));
  }
}
