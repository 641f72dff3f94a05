import { Contacts, CustomerDirectory, CustomerNotes, Customers } from '#libs/customers';
import { Partners, PartnerSubtree, type Partner } from '#libs/partners';
import { Transactions } from '#kernel/transactions';
import { aCustomer } from '../support/builders/a-customer.js';
import { gate, startCustomers, untilSomebodyWaits, type CustomersApplication } from './customers-application.js';

describe('deleting a customer', () => {
  let context: CustomersApplication;
  let customers: Customers;
  let transactions: Transactions;
  let partner: Partner;
  let subtree: PartnerSubtree;

  beforeAll(async () => {
    context = await startCustomers();
    const get = <T>(token: abstract new (...args: never[]) => T) => context.app.get<T>(token, { strict: false });
    customers = get(Customers);
    transactions = get(Transactions);
    partner = await get(Partners).create({ name: 'P', type: 'reseller', parentId: null });
    subtree = PartnerSubtree.of(partner.id);
  });

  afterAll(() => context.close());

  const deletedAt = async (id: string) =>
    (await context.sql.query('select deleted_at from customers.customers where id = $1', [id])).rows[0].deleted_at;

  it('is refused while a license of it lives and possible afterwards', async () => {
    const { id } = await aCustomer(context.app, partner.id);
    context.licenses.live.add(id);
    await expect(customers.delete(subtree, id)).rejects.toMatchObject({
      kind: 'conflict',
      slug: 'customer-has-live-licenses',
    });
    expect(await deletedAt(id)).toBeNull();
    context.licenses.live.delete(id);
    await customers.delete(subtree, id);
    expect(await deletedAt(id)).toEqual(expect.any(Date));
    await expect(customers.delete(subtree, id)).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('tells nothing about the licenses of a customer outside the subtree', async () => {
    const { id } = await aCustomer(context.app, partner.id);
    const stranger = await context.app
      .get(Partners, { strict: false })
      .create({ name: 'S', type: 'reseller', parentId: null });
    context.licenses.live.add(id);
    await expect(customers.delete(PartnerSubtree.of(stranger.id), id)).rejects.toMatchObject({ kind: 'not-found' });
    context.licenses.live.delete(id);
  });

  it('waits for an issue that holds the customer and then sees its license', async () => {
    const { id } = await aCustomer(context.app, partner.id);
    const [locked, finish] = [gate(), gate()];
    const issuing = transactions.run(async () => {
      expect(await customers.lockForIssue(subtree, id)).toEqual({ id, partnerId: partner.id });
      locked.open();
      await finish.opened;
      context.licenses.live.add(id);
    });
    await locked.opened;
    const deleting = customers.delete(subtree, id).then(
      () => 'deleted',
      (error: { slug: string }) => error.slug,
    );
    await untilSomebodyWaits(context.sql);
    finish.open();
    await issuing;
    expect(await deleting).toBe('customer-has-live-licenses');
    expect(await deletedAt(id)).toBeNull();
    context.licenses.live.delete(id);
  });

  it('makes a customer missing for an issue, a contact and a note that waited for it', async () => {
    const { id } = await aCustomer(context.app, partner.id);
    const [held, finish] = [gate(), gate()];
    const deleting = transactions.run(async () => {
      await customers.delete(subtree, id);
      held.open();
      await finish.opened;
    });
    await held.opened;
    const contacts = context.app.get(Contacts, { strict: false });
    const notes = context.app.get(CustomerNotes, { strict: false });
    const late = [
      transactions.run(() => customers.lockForIssue(subtree, id)),
      contacts.create(subtree, id, { lastName: 'A' }),
      notes.append(subtree, id, partner.id, 'x'),
      customers.update(subtree, id, { name: 'x' }),
    ].map((call) =>
      call.then(
        () => 'done',
        (error: { kind: string }) => error.kind,
      ),
    );
    await untilSomebodyWaits(context.sql, 4);
    finish.open();
    await deleting;
    expect(await Promise.all(late)).toEqual(['not-found', 'not-found', 'not-found', 'not-found']);
  });

  it('lets issues for one customer hold it side by side', async () => {
    const { id } = await aCustomer(context.app, partner.id);
    const [first, second] = [gate(), gate()];
    const issue = (mine: typeof first, other: typeof first) =>
      transactions.run(async () => {
        await customers.lockForIssue(subtree, id);
        mine.open();
        await other.opened;
        return 'issued';
      });
    expect(await Promise.all([issue(first, second), issue(second, first)])).toEqual(['issued', 'issued']);
  });

  it('takes the customer out of the directory that other contexts ask', async () => {
    const directory = context.app.get(CustomerDirectory, { strict: false });
    const { id } = await aCustomer(context.app, partner.id);
    expect(await directory.find(subtree, id)).toEqual({ id, partnerId: partner.id });
    await customers.delete(subtree, id);
    expect(await directory.find(subtree, id)).toBeNull();
  });
});
