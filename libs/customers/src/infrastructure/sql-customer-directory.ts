import { Injectable } from '@nestjs/common';
import type { PartnerSubtree } from '#libs/partners';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { CustomerDirectory, type CustomerRef } from '../application/customer-directory.js';
import { livingInSubtree } from './customer.row.js';

@Injectable()
export class SqlCustomerDirectory extends CustomerDirectory {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async find(subtree: PartnerSubtree, id: Uuid): Promise<CustomerRef | null> {
    const rows: CustomerRef[] = await this.transactions.reader.query(
      `select c.id, c.partner_id as "partnerId" from customers.customers c where c.id = $2 and ${livingInSubtree('$1')}`,
      [subtree.rootId, id],
    );
    return rows[0] ?? null;
  }
}
