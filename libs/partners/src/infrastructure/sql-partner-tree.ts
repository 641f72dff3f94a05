import { Injectable } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { UnitOfWork } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { PartnerTree } from '../application/ports/partner-tree.js';
import type { PartnerSubtree } from '../domain/tenancy.js';
import { TREE_LOCK } from './tree-lock.js';

const HOLD_SHAPE = { name: 'hold-partner-tree', text: 'select pg_advisory_xact_lock_shared($1)' };

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

  lockTreeForShare(unit: UnitOfWork): Promise<void> {
    return this.transactions.once(HOLD_SHAPE, [TREE_LOCK], unit);
  }
}
