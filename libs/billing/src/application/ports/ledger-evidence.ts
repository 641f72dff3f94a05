import type { Uuid } from '#kernel/crypto/uuid';

/** One link of a license's hash chain. The contents are included only for an event that affects the billed days. */
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
   * events include their contents, because the others may belong to another owner.
   */
  abstract chains(
    parts: readonly { readonly licenseId: Uuid; readonly eventIds: readonly number[] }[],
  ): Promise<ReadonlyMap<Uuid, readonly LedgerLink[]>>;
}
