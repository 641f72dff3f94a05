import { Contacts, CustomerListMarks, CustomerNotes, CustomerQueries, Customers } from '#libs/customers';
import { PageRequest } from '#kernel/page';
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

  it('give every offset the same rows with marks as without, whatever comes, goes and moves meanwhile', async () => {
    const partners = context.app.get(Partners, { strict: false });
    const marks = context.app.get(CustomerListMarks, { strict: false });
    const queries = context.app.get(CustomerQueries, { strict: false });
    const customers = context.app.get(Customers, { strict: false });
    const root = await partners.create({ name: 'R', type: 'distributor', parentId: null });
    const owner = await partners.create({ name: 'O', type: 'reseller', parentId: root.id });
    const moved = await partners.create({ name: 'M', type: 'reseller', parentId: root.id });
    const seed = (partnerId: string, count: number) =>
      context.sql.query(
        `with made as (
           insert into customers.customers
           select r.* from (select c from customers.customers c limit 1) one, generate_series(1, $2::int) n,
                  lateral json_populate_record(one.c, json_build_object('id', gen_random_uuid(), 'partner_id', $1::uuid,
                    'number', nextval('customers.customer_numbers') + 5000000,
                    'created_at', '2024-01-01'::timestamptz + (n % 300) * interval '1 hour')) r
           returning id, created_at)
         insert into customers.subtree_index
         select s.ancestor_id, made.created_at, made.id from made, partners.subtrees s where s.descendant_id = $1`,
        [partnerId, count],
      );
    const idsOf = async (subtree: PartnerSubtree, limit: number, offset: number) =>
      (await queries.list(subtree, {}, PageRequest.lenient(limit, offset))).map(({ id }) => id);
    const check = async () => {
      for (const { id } of [root, owner]) {
        const { rows } = await context.sql.query(
          `select c.id from customers.customers c join partners.subtrees s on s.descendant_id = c.partner_id
            where s.ancestor_id = $1 and c.deleted_at is null order by c.created_at desc, c.id desc`,
          [id],
        );
        const all = rows.map((row: { id: string }) => row.id);
        for (const offset of [
          0,
          499,
          500,
          501,
          777,
          1000,
          all.length - 60,
          all.length - 1,
          all.length,
          all.length + 5,
        ]) {
          if (offset < 0) continue;
          const page = await idsOf(PartnerSubtree.of(id), 40, offset);
          expect([offset, page]).toEqual([offset, all.slice(offset, offset + 40)]);
        }
      }
    };
    await seed(owner.id, 900);
    await seed(moved.id, 300);
    await check();
    await marks.extend(new Date(), 50);
    await check();
    await seed(owner.id, 200);
    for (const id of (await idsOf(PartnerSubtree.of(owner.id), 200, 600)).filter((_, n) => n % 20 === 0)) {
      await customers.delete(PartnerSubtree.of(owner.id), id);
    }
    await aCustomer(context.app, owner.id);
    await partners.move(moved.id, owner.id);
    await check();
    await marks.extend(new Date(), 50);
    expect((await context.sql.query('select 1 from customers.list_shifts')).rows).toEqual([]);
    expect((await context.sql.query('select 1 from customers.list_marks')).rows.length).toBeGreaterThan(40);
    await check();
  });
});
