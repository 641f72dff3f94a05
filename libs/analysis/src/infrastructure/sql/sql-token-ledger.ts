import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { TokenLedger } from '../../application/ports/token-ledger.js';

/** Stands for the panel's own analyses, because a key column cannot be null. */
const NO_ORGANISATION = '00000000-0000-0000-0000-000000000000';

@Injectable()
export class SqlTokenLedger extends TokenLedger {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async used(organisationId: Uuid | null, day: string): Promise<number> {
    const rows: { tokens: string }[] = await this.transactions.reader.query(
      'select tokens from analysis.token_use where organisation_id = $1 and day = $2',
      [organisationId ?? NO_ORGANISATION, day],
    );
    return Number(rows[0]?.tokens ?? 0);
  }

  async add(organisationId: Uuid | null, day: string, tokens: number): Promise<void> {
    await this.transactions.run(async () => {
      await this.transactions.writer.query(
        `insert into analysis.token_use (organisation_id, day, tokens) values ($1, $2, $3)
         on conflict (organisation_id, day) do update set tokens = token_use.tokens + excluded.tokens`,
        [organisationId ?? NO_ORGANISATION, day, tokens],
      );
    });
  }
}
