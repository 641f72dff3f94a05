import { Injectable } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import type { StagedContinuation, StagedHistory } from '../../application/import/ports/staged-lines.js';
import {
  ownerColumns,
  toPastEvent,
  toPastLicense,
  toPastTransfer,
  type StagedEventRow,
  type StagedLicenseRow,
  type StagedTransferRow,
} from './staged-rows.js';
import { tableOf } from './staging-tables.js';

// Small, so that the objects of a batch die in the young generation of the heap.
const BATCH = 250;

const LICENSES = `
  select s.line, s.id, s."upstreamLicenseId" as upstream_id, s."keyHash" as key_hash,
         s."keyMasked" as key_masked, decode(s."sealedKey", 'base64') as sealed_key, s.edition, s."externalBillingRef" as billing_ref, s.state,
         s."issuedAt" as issued_at, s."terminatedAt" as terminated_at, s."suspendedAt" as suspended_at,
         s."expiredAt" as expired_at, ${ownerColumns('s', (name) => name)}
    from (select * from ${tableOf('license')} where line > $1 and known is not true order by line limit ${BATCH}) s
    join pg_temp.import_customer_facts c on c.id = s."customerId"
    join pg_temp.import_contract_facts k on k.id = s."contractId"
   where s."partnerId" is not null
   order by s.line`;

const events = (of: string, condition: string) => `
  select ${of} as of, s.line, s.event, s.at, s.actor from ${tableOf('event')} s
   where s.known is not true and ${condition} order by s.line`;

const toOwner = (name: string) => `to${name.charAt(0).toUpperCase()}${name.slice(1)}`;
const transfers = (of: string, condition: string) => `
  select ${of} as of, s.line, s.id, s."effectiveDate"::text as effective_on, s.reason, s."createdAt" as recorded_at,
         ${ownerColumns('s', toOwner)}
    from ${tableOf('transfer')} s
    join pg_temp.import_customer_facts c on c.id = s."toCustomerId"
    join pg_temp.import_contract_facts k on k.id = s."toContractId"
   where s.known is not true and s."toPartnerId" is not null and ${condition} order by s.line`;

const OF_LINES = 's."licenseLine" between $1 and $2';
const OF_STORED = 's."licenseLine" is null and s."licenseId" = any($1::uuid[])';

/** Licenses with their lines, in batches. */
@Injectable()
export class StagedHistories {
  constructor(private readonly transactions: TypeOrmTransactions) {}

  async *histories(): AsyncGenerator<StagedHistory[]> {
    for await (const [from, to] of this.licenseRanges()) {
      const rows = await this.query<StagedLicenseRow[]>(LICENSES, [from]);
      const eventsOf = grouped(await this.query<StagedEventRow[]>(events('s."licenseLine"', OF_LINES), [from, to]));
      const found = await this.query<StagedTransferRow[]>(transfers('s."licenseLine"', OF_LINES), [from, to]);
      const transfersOf = grouped(found);
      yield rows.map((row) => ({
        license: toPastLicense(row),
        events: (eventsOf.get(row.line) ?? []).map(toPastEvent),
        transfers: (transfersOf.get(row.line) ?? []).map(toPastTransfer),
      }));
    }
  }

  async *continuations(): AsyncGenerator<StagedContinuation[]> {
    let last: Uuid | null = null;
    for (;;) {
      const stored: { id: Uuid }[] = await this.query(
        `select id from (
           select "licenseId" as id from ${tableOf('event')} where known is not true and "licenseLine" is null
           union select "licenseId" from ${tableOf('transfer')} where known is not true and "licenseLine" is null) s
          where id is not null and ($1::uuid is null or id > $1) order by id limit ${BATCH}`,
        [last],
      );
      const ids = stored.map(({ id }) => id);
      if (ids.length === 0) return;
      const eventsOf = grouped(await this.query<StagedEventRow[]>(events('s."licenseId"', OF_STORED), [ids]));
      const found = await this.query<StagedTransferRow[]>(transfers('s."licenseId"', OF_STORED), [ids]);
      const transfersOf = grouped(found);
      yield ids.map((licenseId) => ({
        licenseId,
        events: (eventsOf.get(licenseId) ?? []).map(toPastEvent),
        transfers: (transfersOf.get(licenseId) ?? []).map(toPastTransfer),
      }));
      last = ids.at(-1) ?? null;
    }
  }

  /** Ranges of line numbers, one for each batch of licenses; the first is exclusive, the second inclusive. */
  private async *licenseRanges(): AsyncGenerator<readonly [number, number]> {
    let from = 0;
    for (;;) {
      const [{ to }] = await this.query<[{ to: number | null }]>(
        `select max(line) as to
           from (select line from ${tableOf('license')} where line > $1 and known is not true
                  order by line limit ${BATCH}) s`,
        [from],
      );
      if (to === null) return;
      yield [from, to];
      from = to;
    }
  }

  private query<R>(sql: string, values: readonly unknown[]): Promise<R> {
    return this.transactions.writer.query(sql, [...values]);
  }
}

function grouped<R extends { readonly of: number | Uuid }>(rows: readonly R[]): Map<number | Uuid, R[]> {
  const groups = new Map<number | Uuid, R[]>();
  for (const row of rows) {
    const group = groups.get(row.of);
    if (group) group.push(row);
    else groups.set(row.of, [row]);
  }
  return groups;
}
