import type { Columns } from '#platform/database/batching/set-statement';
import type { LedgerEntry } from '../../domain/ledger-chain.js';

/** The columns of a ledger entry, besides its license. */
export const ENTRY_COLUMNS: Columns<LedgerEntry> = {
  position: ['int', ({ position }) => position],
  event: ['text', ({ event }) => event],
  at: ['timestamptz', ({ at }) => at.toISOString()],
  actor: ['text', ({ actor }) => actor],
  customer_id: ['uuid', ({ customerId }) => customerId],
  data: ['json', ({ data }) => JSON.stringify(data)],
  previous_hash: ['bytea', ({ previousHash }) => previousHash],
  hash: ['bytea', ({ hash }) => hash],
};
