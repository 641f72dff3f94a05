import { Injectable } from '@nestjs/common';
import type { PartnerSubtree } from '#libs/partners';
import { HotReader } from '#platform/database/batching/hot-reader';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { NotFound } from '#kernel/errors';
import type { PageRequest } from '#kernel/page';
import type { Uuid } from '#kernel/crypto/uuid';
import type { CustomerFilter } from '../application/customer-queries.js';
import type { Customer } from '../domain/customer.js';
import { FilteredCustomers, type Place } from './filtered-customers.js';
import { CUSTOMER_COLUMNS, toCustomer, type CustomerRecord } from './customer.row.js';

/** Finds the page with an index-only scan. Then only its rows are read from the table. */
const pageOfIndex = (place: string, range: string) => `
  select ${CUSTOMER_COLUMNS}
    from (select i.created_at, i.customer_id from customers.subtree_index i
           where i.ancestor_id = $1 ${place}
           order by i.created_at desc, i.customer_id desc ${range}) page
    join customers.customers c on c.id = page.customer_id
   order by page.created_at desc, page.customer_id desc`;

export const BY_OFFSET = { name: 'customers-by-offset', text: pageOfIndex('', 'limit $2 offset $3') };
export const BY_DEEP_OFFSET = {
  name: 'customers-by-deep-offset',
  text: `with start as materialized (select * from customers.list_start($1, $3)) ${pageOfIndex(
    'and (i.created_at, i.customer_id) <= ((select created_at from start), (select customer_id from start))',
    'limit $2 offset (select remaining from start)',
  )}`,
};
export const BY_KEY = {
  name: 'customers-by-key',
  text: pageOfIndex('and (i.created_at, i.customer_id) < ($3::timestamptz, $4::uuid)', 'limit $2'),
};

/** From this offset on, using a mark is faster than counting rows. */
const DEEP = 500;

@Injectable()
export class CustomerList {
  constructor(
    private readonly reader: HotReader,
    private readonly transactions: TypeOrmTransactions,
    private readonly filtered: FilteredCustomers,
  ) {}

  /** @throws NotFound if `page.after` is not a customer of the subtree, deleted ones included */
  async page(subtree: PartnerSubtree, filter: CustomerFilter, page: PageRequest): Promise<Customer[]> {
    const after = page.after && (await this.placeOf(subtree, page.after));
    const rows = Object.values(filter).some((condition) => condition !== undefined)
      ? await this.filtered.page(subtree, filter, page, after)
      : await this.everything(subtree, page, after);
    return rows.map(toCustomer);
  }

  private everything(subtree: PartnerSubtree, page: PageRequest, after: Place | null): Promise<CustomerRecord[]> {
    const { limit, offset } = page;
    if (after) return this.reader.list<CustomerRecord>(BY_KEY, [subtree.rootId, limit, after.createdAt, after.id]);
    const statement = offset < DEEP ? BY_OFFSET : BY_DEEP_OFFSET;
    return this.reader.list<CustomerRecord>(statement, [subtree.rootId, limit, offset]);
  }

  private async placeOf(subtree: PartnerSubtree, id: Uuid): Promise<Place> {
    const rows: Place[] = await this.transactions.reader.query(
      `select c.created_at::text as "createdAt", c.id from customers.customers c
        where c.id = $2
          and exists (select 1 from partners.subtrees s where s.ancestor_id = $1 and s.descendant_id = c.partner_id)`,
      [subtree.rootId, id],
    );
    if (!rows[0]) throw new NotFound();
    return rows[0];
  }
}
