import { Injectable } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { PartnerRepository } from '../application/ports/partner-repository.js';
import type { Partner } from '../domain/partner.js';
import { PartnerRow } from './partner.row.js';
import { TREE_LOCK } from './tree-lock.js';

@Injectable()
export class TypeOrmPartnerRepository extends PartnerRepository {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async lockTree(): Promise<void> {
    await this.transactions.writer.query('select pg_advisory_xact_lock($1)', [TREE_LOCK]);
  }

  async ancestorsOf(id: Uuid): Promise<Uuid[]> {
    const rows: { ancestor_id: Uuid }[] = await this.transactions.reader.query(
      'select ancestor_id from partners.subtrees where descendant_id = $1 and depth > 0',
      [id],
    );
    return rows.map((row) => row.ancestor_id);
  }

  find(id: Uuid): Promise<Partner | null> {
    return this.transactions.reader.findOneBy(PartnerRow, { id });
  }

  async insert(partner: Partner): Promise<void> {
    const writer = this.transactions.writer;
    await writer.insert(PartnerRow, { ...partner });
    await writer.query(
      `insert into partners.subtrees (ancestor_id, descendant_id, depth)
       select $1::uuid, $1::uuid, 0
       union all
       select ancestor_id, $1::uuid, depth + 1 from partners.subtrees where descendant_id = $2::uuid`,
      [partner.id, partner.parentId],
    );
  }

  async rename(id: Uuid, name: string): Promise<void> {
    await this.transactions.writer.update(PartnerRow, { id }, { name });
  }

  async move(id: Uuid, parentId: Uuid): Promise<void> {
    const writer = this.transactions.writer;
    await writer.update(PartnerRow, { id }, { parentId });
    await writer.query(
      `delete from partners.subtrees s
        using partners.subtrees above, partners.subtrees below
        where above.descendant_id = $1 and above.depth > 0
          and below.ancestor_id = $1
          and s.ancestor_id = above.ancestor_id and s.descendant_id = below.descendant_id`,
      [id],
    );
    await writer.query(
      `insert into partners.subtrees (ancestor_id, descendant_id, depth)
       select above.ancestor_id, below.descendant_id, above.depth + below.depth + 1
         from partners.subtrees above cross join partners.subtrees below
        where above.descendant_id = $2 and below.ancestor_id = $1`,
      [id, parentId],
    );
  }

  async listAll(): Promise<Partner[]> {
    const rows: Partner[] = await this.transactions.reader.query(
      `select p.id, p.name, p.type, p.parent_id as "parentId", p.created_at as "createdAt"
         from partners.partners p
         join lateral (select max(depth) as level from partners.subtrees where descendant_id = p.id) at on true
        order by at.level, p.name, p.id`,
    );
    return rows;
  }
}
