import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { SealedRows, type SealedRow } from '../application/ports/resealing.js';
import type { SealedColumn } from '../application/ports/vault.js';

/** The tables of sealed values; the cookie of a sign-in is stored in the browser and needs no rotation. */
const TABLES = {
  'sessions.tokens': { table: 'panel_auth.sessions', column: 'sealed_tokens' },
  'organisation_secrets.value': { table: 'panel_auth.organisation_secrets', column: 'sealed_value' },
} as const satisfies Partial<Record<SealedColumn, { table: string; column: string }>>;

@Injectable()
export class SqlSealedRows extends SealedRows {
  readonly columns = Object.keys(TABLES) as (keyof typeof TABLES)[];

  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  page(name: keyof typeof TABLES, after: Uuid | null, size: number): Promise<readonly SealedRow[]> {
    const { table, column } = TABLES[name];
    return this.transactions.reader.query<SealedRow[]>(
      `select id, ${column} as sealed from ${table}
        where ${column} is not null and ($1::uuid is null or id > $1) order by id limit $2`,
      [after, size],
    );
  }

  async replace(name: keyof typeof TABLES, id: Uuid, previous: Buffer, sealed: Buffer): Promise<boolean> {
    const { table, column } = TABLES[name];
    const [, replaced] = await this.transactions.writer.query<[unknown, number]>(
      `update ${table} set ${column} = $3 where id = $1 and ${column} = $2`,
      [id, previous, sealed],
    );
    return replaced > 0;
  }
}
