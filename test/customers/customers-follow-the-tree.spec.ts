import { CustomerQueries, Customers } from '#libs/customers';
import { Partners, PartnerSubtree, TreeChanges, type Partner } from '#libs/partners';
import { PageRequest } from '#kernel/page';
import { Transactions } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { aCustomer } from '../support/builders/a-customer.js';
import { gate, startCustomers, untilSomebodyWaits, type CustomersApplication } from './customers-application.js';

describe('customers of a partner that moves', () => {
  let context: CustomersApplication;
  let partners: Partners;
  let customers: Customers;
  let queries: CustomerQueries;
  let transactions: Transactions;

  beforeAll(async () => {
    context = await startCustomers();
    partners = context.app.get(Partners, { strict: false });
    customers = context.app.get(Customers, { strict: false });
    queries = context.app.get(CustomerQueries, { strict: false });
    transactions = context.app.get(Transactions, { strict: false });
  });

  afterAll(() => context.close());

  const partner = (parentId: Uuid | null = null) => partners.create({ name: 'P', type: 'reseller', parentId });
  const listed = async ({ id }: Partner) => {
    const page = PageRequest.lenient(200, 0);
    return (await queries.list(PartnerSubtree.of(id), {}, page)).map((customer) => customer.id).sort();
  };

  /** What the index should hold, from the two tables that it is derived from. */
  async function expectIndexToBeRight(): Promise<void> {
    const { rows } = await context.sql.query(`
      with expected as (
        select s.ancestor_id, c.created_at, c.id as customer_id
          from customers.customers c join partners.subtrees s on s.descendant_id = c.partner_id
         where c.deleted_at is null)
      (select 'missing' as defect, * from (select * from expected except table customers.subtree_index) lack)
      union all
      (select 'stale', * from (table customers.subtree_index except select * from expected) excess)`);
    expect(rows).toEqual([]);
  }

  it('leave the lists of the old ancestors and enter those of the new ones', async () => {
    const root = await partner();
    const [from, to] = [await partner(root.id), await partner(root.id)];
    const moved = await partner(from.id);
    const below = await partner(moved.id);
    const ids = [await aCustomer(context.app, moved.id), await aCustomer(context.app, below.id)]
      .map(({ id }) => id)
      .sort();
    const stays = await aCustomer(context.app, from.id);
    const deleted = await aCustomer(context.app, below.id);
    await customers.delete(PartnerSubtree.of(below.id), deleted.id);
    await partners.move(moved.id, to.id);
    expect(await listed(from)).toEqual([stays.id]);
    expect(await listed(to)).toEqual(ids);
    expect(await listed(moved)).toEqual(ids);
    expect(await listed(root)).toEqual([...ids, stays.id].sort());
    await expectIndexToBeRight();
    await partners.move(moved.id, below.id).catch(() => undefined);
    await partners.move(moved.id, from.id);
    expect(await listed(to)).toEqual([]);
    await expectIndexToBeRight();
  });

  it('are complete although one is made and one deleted while the partner moves', async () => {
    const [from, to] = [await partner(), await partner()];
    const moved = await partner(from.id);
    const gone = await aCustomer(context.app, moved.id);
    const subtree = PartnerSubtree.of(moved.id);
    const [written, finish] = [gate(), gate()];
    const writing = transactions.run(async () => {
      const made = await customers.create(subtree, moved.id, { name: 'In flight' });
      await customers.delete(subtree, gone.id);
      written.open();
      await finish.opened;
      return made.id;
    });
    await written.opened;
    const moving = partners.move(moved.id, to.id);
    await untilSomebodyWaits(context.sql);
    finish.open();
    const made = await writing;
    await moving;
    expect([await listed(from), await listed(to)]).toEqual([[], [made]]);
    await expectIndexToBeRight();
  });

  it('wait, when they are made during a move, and then belong to the new ancestors', async () => {
    const [from, to] = [await partner(), await partner()];
    const moved = await partner(from.id);
    const [held, finish] = [gate(), gate()];
    const moving = transactions.run(async () => {
      await partners.move(moved.id, to.id);
      held.open();
      await finish.opened;
    });
    await held.opened;
    const making = aCustomer(context.app, moved.id);
    await untilSomebodyWaits(context.sql);
    finish.open();
    await moving;
    const { id } = await making;
    expect([await listed(from), await listed(to)]).toEqual([[], [id]]);
    await expectIndexToBeRight();
  });

  it('stay where they were when the move fails in a context further to the right', async () => {
    const [from, to] = [await partner(), await partner()];
    const moved = await partner(from.id);
    const { id } = await aCustomer(context.app, moved.id);
    let announced: unknown;
    context.app.get(TreeChanges, { strict: false }).subscribe({
      subtreeMoved: (move) => {
        announced = move;
        return move.movedId === moved.id ? Promise.reject(new Error('not now')) : Promise.resolve();
      },
    });
    await expect(partners.move(moved.id, to.id)).rejects.toThrow('not now');
    expect(announced).toEqual({ movedId: moved.id, lostBy: [from.id], gainedBy: [to.id] });
    expect([await listed(from), await listed(to)]).toEqual([[id], []]);
    await expectIndexToBeRight();
  });
});
