import { Injectable } from '@nestjs/common';
import type { PartnerSubtree } from '#libs/partners';
import { ASKED_IN_SUBTREE } from '#platform/database/batching/asked-in-subtree';
import { HotReader } from '#platform/database/batching/hot-reader';
import { arraysOf, relationOf, rowsByPlace, type SetStatement } from '#platform/database/batching/set-statement';
import { tickBatch } from '#platform/database/batching/tick-batch';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { humanId } from '#kernel/text/human-id';
import type { Uuid } from '#kernel/crypto/uuid';
import type { QueryResultRow } from 'pg';
import type { CustomerRef } from '../application/customer-directory.js';
import { CustomerRepository } from '../application/ports/customer-repository.js';
import type { Customer, CustomerDetails, NewCustomer } from '../domain/customer.js';
import { CustomerRow, livingInSubtree, toCustomer } from './customer.row.js';

interface Asked {
  readonly subtree: PartnerSubtree;
  readonly id: Uuid;
}

const CHOSEN = `select asked.place, c.id, c.partner_id as "partnerId"
    from ${relationOf(ASKED_IN_SUBTREE)} as asked
    join customers.customers c on c.id = asked.id and ${livingInSubtree('asked.root_id')}`;
const values = arraysOf(ASKED_IN_SUBTREE);
const LOOK: SetStatement<Asked> = { name: 'customers-looked-up', text: CHOSEN, values };
const FOR_SHARE: SetStatement<Asked> = {
  name: 'customers-for-share',
  text: `${CHOSEN} order by c.id for share of c`,
  values,
};

@Injectable()
export class TypeOrmCustomerRepository extends CustomerRepository {
  readonly look: CustomerRepository['look'];

  constructor(
    private readonly transactions: TypeOrmTransactions,
    reader: HotReader,
  ) {
    super();
    const load = tickBatch<Asked, CustomerRef>(async (questions) => {
      const rows = await reader.rows(LOOK, LOOK.values(questions));
      return rowsByPlace<CustomerRef & QueryResultRow>(rows, questions.length).map(([row]) => row ?? null);
    });
    this.look = (subtree, id) => load({ subtree, id });
  }

  async insert(customer: NewCustomer): Promise<Customer> {
    const writer = this.transactions.writer;
    const [{ number }] = await writer.query<[{ number: string }]>(
      `select nextval('customers.customer_numbers') as number`,
    );
    await writer.insert(CustomerRow, { ...customer, number });
    await writer.query(
      `insert into customers.subtree_index (ancestor_id, created_at, customer_id)
       select s.ancestor_id, c.created_at, c.id
         from customers.customers c join partners.subtrees s on s.descendant_id = c.partner_id
        where c.id = $1`,
      [customer.id],
    );
    const { id, partnerId, createdAt, ...details } = customer;
    return { id, humanId: humanId('customer', number), partnerId, ...details, createdAt };
  }

  getForUpdate(subtree: PartnerSubtree, id: Uuid): Promise<Customer | null> {
    return this.locked(subtree, id);
  }

  async getForShare(subtree: PartnerSubtree, id: Uuid): Promise<CustomerRef | null> {
    const [row] = await this.transactions.ask<CustomerRef & QueryResultRow, Asked>(FOR_SHARE, { subtree, id });
    return row ?? null;
  }

  async update({ id }: Customer, changes: Partial<CustomerDetails>): Promise<void> {
    if (Object.keys(changes).length > 0) await this.transactions.writer.update(CustomerRow, { id }, changes);
  }

  async remove({ id }: Customer, at: Date): Promise<void> {
    const writer = this.transactions.writer;
    await writer.update(CustomerRow, { id }, { deletedAt: at });
    await writer.query(
      `delete from customers.subtree_index i
        using customers.customers c, partners.subtrees s
        where c.id = $1 and s.descendant_id = c.partner_id
          and i.ancestor_id = s.ancestor_id and i.created_at = c.created_at and i.customer_id = c.id`,
      [id],
    );
  }

  private async locked(subtree: PartnerSubtree, id: Uuid): Promise<Customer | null> {
    const row = await this.transactions.writer
      .createQueryBuilder(CustomerRow, 'c')
      .where('c.id = :id', { id })
      .andWhere(livingInSubtree(':root'), { root: subtree.rootId })
      .setLock('for_no_key_update')
      .getOne();
    return row && toCustomer(row);
  }
}
