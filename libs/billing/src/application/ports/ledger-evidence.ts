import type { Uuid } from '#kernel/crypto/uuid';

/** A ledger event as it was hashed. For an event that affects none of the days, only its link in the chain. */
export interface LedgerLink {
  /** From 1 within the license. */
  readonly position: number;
  /** SHA-256, 64 hexadecimal digits, as is `hash`. */
  readonly previousHash: string;
  readonly hash: string;
  readonly entry: LedgerStatement | null;
}

/** The contents of a ledger event. */
export interface LedgerStatement {
  readonly id: number;
  readonly event: string;
  /** ISO 8601 in UTC with six decimals: the text that was hashed. */
  readonly at: string;
  readonly actor: string | null;
  readonly customerId: Uuid | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The ledger as evidence for statements; implemented by licensing. */
export abstract class LedgerEvidence {
  /**
   * For each license, the chain of its ledger from the first event to the last named one, in order. Only the named
   * events show their contents: the others may belong to another owner's time.
   */
  abstract chains(
    parts: readonly { readonly licenseId: Uuid; readonly eventIds: readonly number[] }[],
  ): Promise<ReadonlyMap<Uuid, readonly LedgerLink[]>>;
}
