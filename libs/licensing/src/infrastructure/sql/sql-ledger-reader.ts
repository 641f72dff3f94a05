import { Injectable } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { LedgerReader, type ExpectedChain, type LedgerRow } from '../../application/ports/ledger-reader.js';

const BATCH = 2_000;

/** Reads by key, in batches. */
@Injectable()
export class SqlLedgerReader extends LedgerReader {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  atOneMoment<T>(work: () => Promise<T>): Promise<T> {
    return this.transactions.run(async () => {
      await this.transactions.writer.query('set transaction isolation level repeatable read, read only');
      return work();
    });
  }

  entries(licenseId: Uuid | null): AsyncIterable<LedgerRow> {
    return this.walk<LedgerRow>(
      `select id::float8 as "eventId", license_id as "licenseId", position, event,
              to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, actor,
              customer_id as "customerId", data, previous_hash as "previousHash", hash
         from licensing.ledger_events
        where ($1::uuid is null or license_id = $1)
          and ($2::uuid is null or (license_id, position) > ($2, $3::int))
        order by license_id, position limit $4`,
      licenseId,
      (row) => [row.licenseId, row.position],
    );
  }

  heads(licenseId: Uuid | null): AsyncIterable<ExpectedChain> {
    return this.walk<ExpectedChain>(
      `select id as "licenseId", ledger_length as length, ledger_head as hash from licensing.licenses
        where ($1::uuid is null or id = $1) and ($2::uuid is null or id > $2) and $3::int is not distinct from $3::int
        order by id limit $4`,
      licenseId,
      (head) => [head.licenseId, null],
    );
  }

  private async *walk<T>(
    sql: string,
    licenseId: Uuid | null,
    keyOf: (row: T) => readonly [Uuid, number | null],
  ): AsyncGenerator<T> {
    let key: readonly [Uuid | null, number | null] = [null, null];
    for (;;) {
      const rows: T[] = await this.transactions.reader.query(sql, [licenseId, ...key, BATCH]);
      yield* rows;
      const last = rows.at(-1);
      if (!last || rows.length < BATCH) return;
      key = keyOf(last);
    }
  }
}
