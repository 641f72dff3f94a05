import { Injectable } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { PartnerImport } from '../application/partner-import.js';
import type { Partner } from '../domain/partner.js';

@Injectable()
export class SqlPartnerImport extends PartnerImport {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async insert(partners: readonly Partner[]): Promise<void> {
    const rows = partners.map(({ id, name, type, parentId, createdAt }) => {
      return { id, name, type, parent_id: parentId, created_at: createdAt };
    });
    const values = [JSON.stringify(rows)];
    const writer = this.transactions.writer;
    await writer.query(
      'insert into partners.partners select * from json_populate_recordset(null::partners.partners, $1)',
      values,
    );
    await writer.query(
      `with partner as (select id, parent_id from json_populate_recordset(null::partners.partners, $1))
       insert into partners.subtrees (ancestor_id, descendant_id, depth)
       select id, id, 0 from partner
       union all
       select above.ancestor_id, partner.id, above.depth + 1
         from partner join partners.subtrees above on above.descendant_id = partner.parent_id`,
      values,
    );
  }
}
