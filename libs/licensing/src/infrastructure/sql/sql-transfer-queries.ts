import { Injectable } from '@nestjs/common';
import type { PartnerSubtree } from '#libs/partners';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { NotFound } from '#kernel/errors';
import type { PageRequest } from '#kernel/page';
import type { Uuid } from '#kernel/crypto/uuid';
import { TransferQueries, type TransferFilter } from '../../application/license-queries.js';
import { transferView, type TransferView } from '../../application/transfers/transfer-view.js';
import { toTransfer, TRANSFER_COLUMNS, type TransferRow } from '../transfers/transfer.row.js';

const sees = (end: 'from' | 'to') =>
  `exists (select 1 from partners.subtrees s where s.ancestor_id = $1 and s.descendant_id = t.${end}_partner_id)`;

type Row = TransferRow & { readonly sees_from: boolean; readonly sees_to: boolean };

/** A position in the list order, with full time precision. */
interface Place {
  readonly created_at: string;
  readonly id: Uuid;
}

@Injectable()
export class SqlTransferQueries extends TransferQueries {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async list(subtree: PartnerSubtree, filter: TransferFilter, page: PageRequest): Promise<TransferView[]> {
    const values: unknown[] = [subtree.rootId];
    const bind = (value: unknown) => `$${values.push(value)}`;
    const conditions = ['i.ancestor_id = $1', ...conditionsOf(filter, bind)];
    if (page.after) {
      const place = await this.placeOf(subtree, page.after);
      const key = `(${bind(place.created_at)}::timestamptz, ${bind(place.id)}::uuid)`;
      conditions.push(`(i.created_at, i.transfer_id) < ${key}`);
    }
    const range = page.after ? '' : `offset ${bind(page.offset)}`;
    const rows: Row[] = await this.transactions.reader.query(
      `select ${TRANSFER_COLUMNS}, ${sees('from')} as sees_from, ${sees('to')} as sees_to
         from (select i.created_at, i.transfer_id
                 from licensing.transfer_index i join licensing.transfers t on t.id = i.transfer_id
                where ${conditions.join(' and ')}
                order by i.created_at desc, i.transfer_id desc limit ${bind(page.limit)} ${range}) page
         join licensing.transfers t on t.id = page.transfer_id
         join licensing.licenses l on l.id = t.license_id
        order by page.created_at desc, page.transfer_id desc`,
      values,
    );
    return rows.map((row) => transferView(toTransfer(row), { from: row.sees_from, to: row.sees_to }));
  }

  private async placeOf(subtree: PartnerSubtree, id: Uuid): Promise<Place> {
    const rows: Place[] = await this.transactions.reader.query(
      `select t.created_at::text, t.id from licensing.transfers t where t.id = $2 and (${sees('from')} or ${sees('to')})`,
      [subtree.rootId, id],
    );
    if (!rows[0]) throw new NotFound();
    return rows[0];
  }
}

function conditionsOf(filter: TransferFilter, bind: (value: unknown) => string): string[] {
  const conditions: string[] = [];
  if (filter.licenseId !== undefined) conditions.push(`t.license_id = ${bind(filter.licenseId)}`);
  if (filter.direction === 'in') conditions.push(sees('to'));
  if (filter.direction === 'out') conditions.push(sees('from'));
  if (filter.from) conditions.push(`t.created_at >= ${bind(filter.from)}`);
  if (filter.to) conditions.push(`t.created_at <= ${bind(filter.to)}`);
  return conditions;
}
