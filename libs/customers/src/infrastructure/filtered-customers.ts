import { Injectable } from '@nestjs/common';
import type { PartnerSubtree } from '#libs/partners';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { PageRequest } from '#kernel/page';
import type { Uuid } from '#kernel/crypto/uuid';
import type { CustomerFilter } from '../application/customer-queries.js';
import { CUSTOMER_COLUMNS, livingInSubtree, type CustomerRecord } from './customer.row.js';

/** For `customers.customers c`; the index `customers_words` finds substrings of three characters and more. */
export const hasWords = (pattern: string) =>
  `(c.name ilike ${pattern} or c.legal_name ilike ${pattern} or c.email ilike ${pattern} or c.external_ref ilike ${pattern})`;

/** A position in the list order, with full time precision. */
export interface Place {
  readonly createdAt: string;
  readonly id: Uuid;
}

/** How many of the newest customers are scanned before the whole subtree is queried. */
const NEWEST_SCANNED = 2_000;

/**
 * Pages with filters. If many customers match, scanning from the newest is fastest. If few match, the table's own
 * indexes are. PostgreSQL misjudges this (1.5 s instead of 15 ms), so both are tried, in this order.
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

/** The next customers of the subtree in list order, after the position `$4`, `$5`. */
function newest(after: Place | null): string {
  const place = after ? 'and (i.created_at, i.customer_id) < ($4::timestamptz, $5::uuid)' : '';
  return `(select r.* from (
      select i.created_at, i.customer_id from customers.subtree_index i where i.ancestor_id = $1 ${place}
       order by i.created_at desc, i.customer_id desc limit ${NEWEST_SCANNED}) walk
    join customers.customers r on r.id = walk.customer_id)`;
}
