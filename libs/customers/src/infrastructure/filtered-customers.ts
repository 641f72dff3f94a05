import { Injectable } from '@nestjs/common';
import type { PartnerSubtree } from '#libs/partners';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { PageRequest } from '#kernel/page';
import type { Uuid } from '#kernel/crypto/uuid';
import type { CustomerFilter } from '../application/customer-queries.js';
import { CUSTOMER_COLUMNS, livingInSubtree, type CustomerRecord } from './customer.row.js';

/** Of `customers.customers c`; the index `customers_words` finds parts of three characters and more. */
export const hasWords = (pattern: string) =>
  `(c.name ilike ${pattern} or c.legal_name ilike ${pattern} or c.email ilike ${pattern} or c.external_ref ilike ${pattern})`;

/** A place in the order of the list, with the time in all its digits. */
export interface Place {
  readonly createdAt: string;
  readonly id: Uuid;
}

/** How many of the newest customers are looked through before the whole subtree is asked. */
const WALK = 2_000;

/**
 * Pages under conditions. What many customers fulfil is found soonest by walking from the newest on, what few fulfil
 * by the table's own indexes; PostgreSQL guesses wrong which it is (1.5 s for 15 ms), so both are tried in this order.
 */
@Injectable()
export class FilteredCustomers {
  constructor(private readonly transactions: TypeOrmTransactions) {}

  async page(
    subtree: PartnerSubtree,
    filter: CustomerFilter,
    page: PageRequest,
    after: Place | null,
  ): Promise<CustomerRecord[]> {
    const hasOwnIndex = filter.externalRef !== undefined || filter.partnerId !== undefined;
    if (!hasOwnIndex) {
      const rows = await this.among(newest(after), subtree, filter, page, after);
      if (rows.length === page.limit) return rows;
    }
    return this.among('customers.customers', subtree, filter, page, after);
  }

  private among(
    source: string,
    subtree: PartnerSubtree,
    { status, externalRef, partnerId, q }: CustomerFilter,
    page: PageRequest,
    after: Place | null,
  ): Promise<CustomerRecord[]> {
    const values: unknown[] = [subtree.rootId, page.limit, after ? 0 : page.offset];
    const bind = (value: unknown) => `$${values.push(value)}`;
    const conditions = [livingInSubtree('$1')];
    if (after)
      conditions.push(`(c.created_at, c.id) < (${bind(after.createdAt)}::timestamptz, ${bind(after.id)}::uuid)`);
    if (status !== undefined) conditions.push(`c.status = ${bind(status)}`);
    if (externalRef !== undefined) conditions.push(`c.external_ref = ${bind(externalRef)}`);
    if (partnerId !== undefined) conditions.push(`c.partner_id = ${bind(partnerId)}`);
    if (q !== undefined) {
      conditions.push(hasWords(bind(`%${q.replace(/[\\%_]/g, '\\$&')}%`)));
    }
    return this.transactions.reader.query(
      `select ${CUSTOMER_COLUMNS} from ${source} c where ${conditions.join(' and ')}
        order by c.created_at desc, c.id desc limit $2 offset $3`,
      values,
    );
  }
}

/** The next customers of the subtree in the order of the list; `$4` and `$5` are the place after which they begin. */
function newest(after: Place | null): string {
  const place = after ? 'and (i.created_at, i.customer_id) < ($4::timestamptz, $5::uuid)' : '';
  return `(select r.* from (
      select i.created_at, i.customer_id from customers.subtree_index i where i.ancestor_id = $1 ${place}
       order by i.created_at desc, i.customer_id desc limit ${WALK}) walk
    join customers.customers r on r.id = walk.customer_id)`;
}
