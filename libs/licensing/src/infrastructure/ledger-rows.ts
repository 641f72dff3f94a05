import type { LedgerEntry } from '../domain/ledger-chain.js';

/** Ledger entries as the arrays of one `unnest`: position, event, at, actor, customer, data, previous hash, hash. */
export function entryColumns(entries: readonly LedgerEntry[]): unknown[] {
  return [
    entries.map(({ position }) => position),
    entries.map(({ event }) => event),
    entries.map(({ at }) => at.toISOString()),
    entries.map(({ actor }) => actor),
    entries.map(({ customerId }) => customerId),
    entries.map(({ data }) => JSON.stringify(data)),
    entries.map(({ previousHash }) => previousHash),
    entries.map(({ hash }) => hash),
  ];
}
