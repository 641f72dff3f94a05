import { Injectable } from '@nestjs/common';
import type { PartnerSubtree } from '#libs/partners';
import { ASKED_IN_SUBTREE } from '#platform/database/batching/asked-in-subtree';
import { HotReader } from '#platform/database/batching/hot-reader';
import { arraysOf, relationOf, rowsByPlace, type SetStatement } from '#platform/database/batching/set-statement';
import { tickBatch } from '#platform/database/batching/tick-batch';
import { NotFound } from '#kernel/errors';
import type { PageRequest } from '#kernel/page';
import type { Uuid } from '#kernel/crypto/uuid';
import { CustomerQueries, type CustomerFilter } from '../application/customer-queries.js';
import type { Customer } from '../domain/customer.js';
import { CustomerList } from './customer-list.js';
import { CUSTOMER_COLUMNS, livingInSubtree, toCustomer, type CustomerRecord } from './customer.row.js';

const ONE = {
  name: 'customer-in-subtree',
  text: `select ${CUSTOMER_COLUMNS} from customers.customers c where c.id = $2 and ${livingInSubtree('$1')}`,
};
const NUMBERED = {
  name: 'customer-by-number',
  text: `select ${CUSTOMER_COLUMNS} from customers.customers c where c.number = $2 and ${livingInSubtree('$1')}`,
};
interface Question {
  readonly subtree: PartnerSubtree;
  readonly id: Uuid;
}

const MANY: SetStatement<Question> = {
  name: 'customers-in-subtrees',
  text: `select asked.place, ${CUSTOMER_COLUMNS} from ${relationOf(ASKED_IN_SUBTREE)} as asked
    join customers.customers c on c.id = asked.id and ${livingInSubtree('asked.root_id')}`,
  values: arraysOf(ASKED_IN_SUBTREE),
};

/** Answers all look-ups of one turn of the event loop with one query. Each look-up has its own subtree. */
@Injectable()
export class BatchedCustomerQueries extends CustomerQueries {
  private readonly load: (question: Question) => Promise<Customer | null>;

  constructor(
    private readonly reader: HotReader,
    private readonly customers: CustomerList,
  ) {
    super();
    this.load = tickBatch((questions) => this.lookUp(questions));
  }

  async get(subtree: PartnerSubtree, id: Uuid): Promise<Customer> {
    const customer = await this.load({ subtree, id });
    if (!customer) throw new NotFound();
    return customer;
  }

  async numbered(subtree: PartnerSubtree, number: number): Promise<Customer | null> {
    const [row] = await this.reader.rows<CustomerRecord>(NUMBERED, [subtree.rootId, number]);
    return row ? toCustomer(row) : null;
  }

  list(subtree: PartnerSubtree, filter: CustomerFilter, page: PageRequest): Promise<Customer[]> {
    return this.customers.page(subtree, filter, page);
  }

  private async lookUp(questions: readonly Question[]): Promise<(Customer | null)[]> {
    const [first] = questions;
    if (first && questions.length === 1) {
      const rows = await this.reader.rows<CustomerRecord>(ONE, [first.subtree.rootId, first.id]);
      return [rows[0] ? toCustomer(rows[0]) : null];
    }
    const rows = await this.reader.rows(MANY, MANY.values(questions));
    return rowsByPlace<CustomerRecord>(rows, questions.length).map(([row]) => (row ? toCustomer(row) : null));
  }
}
