import type { Uuid } from '#kernel/crypto/uuid';

/** A ledger event as it was hashed, or, for an event that did not make any of the days, its place in the chain alone. */
export interface LedgerLink {
  /** From 1 within the license. */
  readonly position: number;
  /** SHA-256, 64 hexadecimal digits, as is `hash`. */
  readonly previousHash: string;
  readonly hash: string;
  readonly entry: LedgerStatement | null;
}

/** What a ledger event says. */
export interface LedgerStatement {
  readonly id: number;
  readonly event: string;
  /** ISO 8601 in UTC with six decimals: the text that was hashed. */
  readonly at: string;
  readonly actor: string | null;
  readonly customerId: Uuid | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The ledger as evidence for statements; licensing keeps it. */
export abstract class LedgerEvidence {
  /**
   * For each license the chain of its ledger from the first event to the last one named, in order. Only the named
   * events show what they say: the others may belong to somebody else's time with the license.
   */
  abstract chains(
    parts: readonly { readonly licenseId: Uuid; readonly eventIds: readonly number[] }[],
  ): Promise<ReadonlyMap<Uuid, readonly LedgerLink[]>>;
}
