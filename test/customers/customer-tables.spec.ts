import { Contacts, CustomerNotes } from '#libs/customers';
import { Partners, PartnerSubtree, type Partner } from '#libs/partners';
import { BY_KEY, BY_OFFSET } from '../../libs/customers/src/infrastructure/customer-list.js';
import { hasWords } from '../../libs/customers/src/infrastructure/filtered-customers.js';
import { aCustomer } from '../support/builders/a-customer.js';
import { startCustomers, type CustomersApplication } from './customers-application.js';

describe('the tables of customers', () => {
  let context: CustomersApplication;
  let partner: Partner;

  beforeAll(async () => {
    context = await startCustomers();
    const partners = context.app.get(Partners, { strict: false });
    partner = await partners.create({ name: 'P', type: 'reseller', parentId: null });
  });

  afterAll(() => context.close());

  it.each([
    `update customers.notes set body = 'other'`,
    `update customers.notes set body = body where false`,
    'delete from customers.notes',
    'truncate customers.notes',
    'truncate customers.customers cascade',
  ])('refuse, for the role of the application too: %s', async (statement) => {
    const { id } = await aCustomer(context.app, partner.id);
    const notes = context.app.get(CustomerNotes, { strict: false });
    await notes.append(PartnerSubtree.of(partner.id), id, partner.id, 'kept');
    await expect(context.sql.query(statement)).rejects.toThrow('append-only');
    const { rows } = await context.sql.query('select body from customers.notes where customer_id = $1', [id]);
    expect(rows).toEqual([{ body: 'kept' }]);
  });

  it('hold at most one primary contact per customer, whoever writes', async () => {
    const { id } = await aCustomer(context.app, partner.id);
    const contacts = context.app.get(Contacts, { strict: false });
    const subtree = PartnerSubtree.of(partner.id);
    await contacts.create(subtree, id, { lastName: 'A', isPrimary: true });
    await contacts.create(subtree, id, { lastName: 'B' });
    await expect(
      context.sql.query('update customers.contacts set is_primary = true where customer_id = $1', [id]),
    ).rejects.toMatchObject({ constraint: 'contacts_one_primary' });
  });

  it('find a page in the index alone, without sorting, in the largest subtree and in the smallest', async () => {
    await context.sql.query(
      `insert into customers.subtree_index
       select $1, timestamptz '2026-01-01' + n * interval '1 second', gen_random_uuid() from generate_series(1, 50000) n`,
      [partner.id],
    );
    await context.sql.query('vacuum analyze customers.subtree_index');
    const nobody = '7d3b1c3e-6a0f-4b5e-9a59-0d7a5a9f4f3c';
    for (const [statement, values] of [
      [BY_OFFSET, [partner.id, 50, 0]],
      [BY_OFFSET, [partner.id, 200, 45_000]],
      [BY_OFFSET, [nobody, 50, 0]],
      [BY_KEY, [partner.id, 200, '2026-01-01T09:00:00Z', nobody]],
    ] as const) {
      const { rows } = await context.sql.query({ text: `explain ${statement.text}`, values: [...values] });
      const plan = rows.map((row) => row['QUERY PLAN'] as string).join('\n');
      expect(plan).toMatch(/Limit.*\n\s*-> +Index Only Scan Backward using subtree_index_pkey/);
    }
  });

  it('find a rare part of a name, address or reference without reading the other customers', async () => {
    await context.sql.query(
      `insert into customers.customers
       select r.* from (select c from customers.customers c limit 1) one, generate_series(1, 20000) n,
              lateral json_populate_record(one.c, json_build_object('id', gen_random_uuid(), 'number', 1000000 + n,
                'name', md5(n::text), 'legal_name', md5('l' || n), 'email', md5('e' || n))) r`,
    );
    await context.sql.query('vacuum analyze customers.customers');
    const text = `explain select 1 from customers.customers c where c.deleted_at is null and ${hasWords('$1')}`;
    for (const pattern of ['%beef%', '%c0ffee%']) {
      const { rows } = await context.sql.query({ text, values: [pattern] });
      const plan = rows.map((row) => row['QUERY PLAN'] as string).join('\n');
      expect(plan.match(/Bitmap Index Scan on customers_words/g)).toHaveLength(4);
    }
  });
});
