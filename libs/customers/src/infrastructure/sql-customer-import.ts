import { Injectable } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { CustomerImport } from '../application/customer-import.js';
import type { NewContact } from '../domain/contact.js';
import type { NewCustomer } from '../domain/customer.js';

const CUSTOMER_COLUMNS = `id, partner_id, external_ref, name, legal_name, vat_id, email, phone, billing_street,
  billing_postal_code, billing_city, billing_region, billing_country, postal_street, postal_postal_code, postal_city,
  postal_region, postal_country, website, owner_email, status, created_at`;

const CONTACT_COLUMNS = `id, customer_id, first_name, last_name, title, email, phone, locale, notes, is_primary,
  created_at, updated_at`;

@Injectable()
export class SqlCustomerImport extends CustomerImport {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async insertCustomers(customers: readonly NewCustomer[]): Promise<void> {
    await this.transactions.writer.query(
      `with given as (select * from json_populate_recordset(null::customers.customers, $1)), customer as (
         insert into customers.customers (number, ${CUSTOMER_COLUMNS})
         select nextval('customers.customer_numbers'), ${CUSTOMER_COLUMNS} from given
       )
       insert into customers.subtree_index (ancestor_id, created_at, customer_id)
       select s.ancestor_id, given.created_at, given.id
         from given join partners.subtrees s on s.descendant_id = given.partner_id`,
      [JSON.stringify(customers.map(inColumns))],
    );
  }

  async insertContacts(contacts: readonly NewContact[]): Promise<void> {
    const primary = new Map(
      contacts.filter(({ isPrimary }) => isPrimary).map((contact) => [contact.customerId, contact]),
    );
    await this.transactions.writer.query(
      `update customers.contacts c set is_primary = false, updated_at = taken.at
         from unnest($1::uuid[], $2::timestamptz[]) as taken (customer_id, at)
        where c.customer_id = taken.customer_id and c.is_primary`,
      [[...primary.keys()], [...primary.values()].map(({ createdAt }) => createdAt)],
    );
    const rows = contacts.map((contact) => {
      return { ...contact, isPrimary: primary.get(contact.customerId)?.id === contact.id };
    });
    await this.transactions.writer.query(
      `insert into customers.contacts (number, ${CONTACT_COLUMNS})
       select nextval('customers.contact_numbers'), ${CONTACT_COLUMNS}
         from json_populate_recordset(null::customers.contacts, $1)`,
      [JSON.stringify(rows.map(inColumns))],
    );
  }
}

/** The record with column names: `billingStreet` is `billing_street`. */
function inColumns(record: object): Record<string, unknown> {
  const entries = Object.entries(record) as [string, unknown][];
  return Object.fromEntries(
    entries.map(([key, value]) => [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  );
}
