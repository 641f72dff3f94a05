import type { Uuid } from '#kernel/crypto/uuid';
import type { ChainHead, StoredEntry } from '../../domain/ledger-chain.js';

export type LedgerRow = StoredEntry & { readonly eventId: number };

/** What the license's own row says about its ledger. */
export type ExpectedChain = ChainHead & { readonly licenseId: Uuid };

/** The whole ledger, read with constant memory. */
export abstract class LedgerReader {
  /** Runs `work` so that all its reads see one snapshot of the ledger. */
  abstract atOneMoment<T>(work: () => Promise<T>): Promise<T>;
  /**
   * By license, then position.
   * @param licenseId all licenses if null
   */
  abstract entries(licenseId: Uuid | null): AsyncIterable<LedgerRow>;
  /** By license. */
  abstract heads(licenseId: Uuid | null): AsyncIterable<ExpectedChain>;
}
