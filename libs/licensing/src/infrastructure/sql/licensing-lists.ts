import { Injectable, type OnModuleInit } from '@nestjs/common';
import { TreeChanges, type SubtreeMove, type TreeChangeListener } from '#libs/partners';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';

/** Updates the lists of licenses and transfers when a partner moves with everything below it. */
@Injectable()
export class LicensingLists implements TreeChangeListener, OnModuleInit {
  constructor(
    private readonly changes: TreeChanges,
    private readonly transactions: TypeOrmTransactions,
  ) {}

  onModuleInit(): void {
    this.changes.subscribe(this);
  }

  async subtreeMoved(move: SubtreeMove): Promise<void> {
    await this.moveLicenses(move);
    await this.moveTransfers(move);
  }

  private async moveLicenses({ movedId, lostBy, gainedBy }: SubtreeMove): Promise<void> {
    const writer = this.transactions.writer;
    await writer.query(
      `delete from licensing.subtree_index i
        using licensing.licenses l, partners.subtrees s
        where s.ancestor_id = $1 and l.partner_id = s.descendant_id
          and i.ancestor_id = any($2::uuid[]) and i.issued_at = l.issued_at and i.license_id = l.id`,
      [movedId, lostBy],
    );
    await writer.query(
      `insert into licensing.subtree_index (ancestor_id, issued_at, license_id)
       select ancestor.id, l.issued_at, l.id
         from unnest($2::uuid[]) as ancestor (id)
         cross join partners.subtrees s
         join licensing.licenses l on l.partner_id = s.descendant_id
        where s.ancestor_id = $1`,
      [movedId, gainedBy],
    );
  }

  /** A transfer stays visible to its other end, so both ends are checked in the current tree. */
  private async moveTransfers({ movedId, lostBy, gainedBy }: SubtreeMove): Promise<void> {
    const writer = this.transactions.writer;
    await writer.query(
      `delete from licensing.transfer_index i
        using licensing.transfers t
        where i.ancestor_id = any($2::uuid[]) and i.created_at = t.created_at and i.transfer_id = t.id
          and exists (select 1 from partners.subtrees s
                       where s.ancestor_id = $1 and s.descendant_id in (t.from_partner_id, t.to_partner_id))
          and not exists (select 1 from partners.subtrees s
                           where s.ancestor_id = i.ancestor_id
                             and s.descendant_id in (t.from_partner_id, t.to_partner_id))`,
      [movedId, lostBy],
    );
    await writer.query(
      `insert into licensing.transfer_index (ancestor_id, created_at, transfer_id)
       select ancestor.id, t.created_at, t.id
         from unnest($2::uuid[]) as ancestor (id)
         cross join licensing.transfers t
        where exists (select 1 from partners.subtrees s
                       where s.ancestor_id = $1 and s.descendant_id in (t.from_partner_id, t.to_partner_id))
       on conflict do nothing`,
      [movedId, gainedBy],
    );
  }
}
