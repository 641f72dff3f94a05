import { Injectable } from '@nestjs/common';
import { LedgerEvidence, type LedgerLink, type LedgerStatement } from '#libs/billing';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { Uuid } from '#kernel/crypto/uuid';

interface LinkRow {
  readonly license_id: Uuid;
  readonly position: number;
  readonly previous_hash: string;
  readonly hash: string;
  readonly entry: LedgerStatement | null;
}

/** The last named event of each license, and every link of the chain up to it. */
const CHAINS = `
  with named as (
    select e.license_id, max(e.position) as last
      from licensing.ledger_events e where e.id = any($1::bigint[]) and e.license_id = any($2::uuid[])
     group by e.license_id
  )
  select e.license_id, e.position, encode(e.previous_hash, 'hex') as previous_hash, encode(e.hash, 'hex') as hash,
         case when e.id = any($1::bigint[]) then json_build_object(
           'id', e.id, 'event', e.event, 'at', to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
           'actor', e.actor, 'customerId', e.customer_id, 'data', e.data) end as entry
    from named join licensing.ledger_events e on e.license_id = named.license_id and e.position <= named.last
   order by e.license_id, e.position`;

@Injectable()
export class SqlLedgerEvidence extends LedgerEvidence {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async chains(
    parts: readonly { readonly licenseId: Uuid; readonly eventIds: readonly number[] }[],
  ): Promise<Map<Uuid, LedgerLink[]>> {
    const named = parts.flatMap(({ eventIds }) => eventIds);
    const licenses = parts.map(({ licenseId }) => licenseId);
    const rows: LinkRow[] = await this.transactions.reader.query(CHAINS, [named, licenses]);
    const chains = new Map<Uuid, LedgerLink[]>(licenses.map((id) => [id, []]));
    for (const { license_id, position, previous_hash: previousHash, hash, entry } of rows) {
      chains.get(license_id)?.push({ position, previousHash, hash, entry });
    }
    return chains;
  }
}
