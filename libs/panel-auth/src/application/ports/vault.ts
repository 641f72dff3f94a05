/** A column of sealed values; each has its own key. */
export type SealedColumn = 'sessions.tokens' | 'organisation_secrets.value' | 'sign_in_cookie';

/** Authenticated encryption at rest. A value opens only for the column and the row for which it was sealed. */
export abstract class Vault {
  abstract seal(plaintext: string, column: SealedColumn, rowId: string): Buffer;
  /** Null for anything that was not sealed here for this row, or whose key is gone. */
  abstract open(sealed: Buffer, column: SealedColumn, rowId: string): string | null;
  /** True if the value should be sealed again with the newest key. */
  abstract isStale(sealed: Buffer): boolean;
}
