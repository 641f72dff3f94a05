import { Injectable } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { PartnerTree } from '../application/ports/partner-tree.js';
import type { PartnerSubtree } from '../domain/tenancy.js';
import { LOCK_TREE_FOR_SHARE } from './tree-lock.js';

@Injectable()
export class SqlPartnerTree extends PartnerTree {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async contains(subtree: PartnerSubtree, partnerId: Uuid): Promise<boolean> {
    const rows: unknown[] = await this.transactions.reader.query(
      'select 1 from partners.subtrees where ancestor_id = $1 and descendant_id = $2',
      [subtree.rootId, partnerId],
    );
    return rows.length > 0;
  }

  async lockTreeForShare(): Promise<void> {
    await this.transactions.prepared(LOCK_TREE_FOR_SHARE, []);
  }
}
