import { Sha256 } from '#kernel/crypto/sha256';
import type { Uuid } from '#kernel/crypto/uuid';
import type { LedgerFact } from './ledger-event.js';

/** The end of one license's ledger: the number of its entries and the hash of the last. */
export interface ChainHead {
  readonly length: number;
  readonly hash: Buffer;
}

/** A fact at its position, counted from 1 within the license. */
export interface LedgerEntry extends LedgerFact {
  readonly position: number;
  readonly previousHash: Buffer;
  readonly hash: Buffer;
}

export const EMPTY_CHAIN: ChainHead = { length: 0, hash: Buffer.alloc(32) };

/** Appends facts to the ledger of a license, in their order. */
export function chain(licenseId: Uuid, head: ChainHead, facts: readonly LedgerFact[]): LedgerEntry[] {
  let { length, hash } = head;
  return facts.map((fact) => {
    const previousHash = hash;
    length += 1;
    hash = entryHash(licenseId, length, previousHash, fact);
    return { position: length, previousHash, hash, ...fact };
  });
}

export function headOf(head: ChainHead, entries: readonly LedgerEntry[]): ChainHead {
  const last = entries.at(-1);
  return last ? { length: last.position, hash: last.hash } : head;
}

/** SHA-256 over the entry's canonical text, which begins with the hash of the previous entry. */
function entryHash(licenseId: Uuid, position: number, previousHash: Buffer, fact: LedgerFact): Buffer {
  const microseconds = fact.at.toISOString().replace('Z', '000Z');
  return hashOf({ licenseId, position, previousHash, ...fact, at: microseconds });
}

/** An entry as stored in the database; `at` is ISO 8601 in UTC with six decimals. */
export interface StoredEntry extends Omit<LedgerEntry, 'at' | 'event' | 'data'> {
  readonly licenseId: Uuid;
  readonly event: string;
  readonly at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The hash that the entry should have, given its contents and its predecessor's hash. */
export function hashOf(entry: Omit<StoredEntry, 'hash'>): Buffer {
  const data = Object.entries(entry.data).sort(([a], [b]) => (a < b ? -1 : 1));
  const canonical = JSON.stringify([
    entry.previousHash.toString('hex'),
    entry.licenseId,
    entry.position,
    entry.event,
    entry.at,
    entry.actor,
    entry.customerId,
    data,
  ]);
  return Buffer.from(new Sha256().update(canonical).hex(), 'hex');
}
