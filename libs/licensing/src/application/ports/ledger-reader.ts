import type { Uuid } from '#kernel/crypto/uuid';
import type { ChainHead, StoredEntry } from '../../domain/ledger-chain.js';

export type LedgerRow = StoredEntry & { readonly eventId: number };

/** What the license's own row says of the ledger of that license. */
export type ExpectedChain = ChainHead & { readonly licenseId: Uuid };

/** The whole ledger, read as it stands, in memory that does not grow with it. */
export abstract class LedgerReader {
  /** What `work` reads is the ledger of one moment. */
  abstract atOneMoment<T>(work: () => Promise<T>): Promise<T>;
  /** By license, then position. @param licenseId all licenses when null */
  abstract entries(licenseId: Uuid | null): AsyncIterable<LedgerRow>;
  /** By license. */
  abstract heads(licenseId: Uuid | null): AsyncIterable<ExpectedChain>;
}
