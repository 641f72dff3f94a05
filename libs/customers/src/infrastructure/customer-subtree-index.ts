import { Injectable, type OnModuleInit } from '@nestjs/common';
import { TreeChanges, type SubtreeMove, type TreeChangeListener } from '#libs/partners';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';

/** Updates `customers.subtree_index` when a partner moves with its customers. */
@Injectable()
export class CustomerSubtreeIndex implements TreeChangeListener, OnModuleInit {
  constructor(
    private readonly changes: TreeChanges,
    private readonly transactions: TypeOrmTransactions,
  ) {}

  onModuleInit(): void {
    this.changes.subscribe(this);
  }

  async subtreeMoved({ movedId, lostBy, gainedBy }: SubtreeMove): Promise<void> {
    const writer = this.transactions.writer;
    await writer.query(
      `delete from customers.subtree_index i
        using customers.customers c, partners.subtrees s
        where s.ancestor_id = $1 and c.partner_id = s.descendant_id and c.deleted_at is null
          and i.ancestor_id = any($2::uuid[]) and i.created_at = c.created_at and i.customer_id = c.id`,
      [movedId, lostBy],
    );
    await writer.query(
      `insert into customers.subtree_index (ancestor_id, created_at, customer_id)
       select ancestor.id, c.created_at, c.id
         from unnest($2::uuid[]) as ancestor (id)
         cross join partners.subtrees s
         join customers.customers c on c.partner_id = s.descendant_id
        where s.ancestor_id = $1 and c.deleted_at is null`,
      [movedId, gainedBy],
    );
  }
}
