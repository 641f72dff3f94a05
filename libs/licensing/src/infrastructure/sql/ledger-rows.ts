import type { Columns } from '#platform/database/batching/set-statement';
import type { LedgerEntry } from '../../domain/ledger-chain.js';

/** What the ledger keeps of an entry besides the license that it is about. */
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
