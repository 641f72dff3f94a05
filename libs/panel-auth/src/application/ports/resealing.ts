import type { Uuid } from '#kernel/crypto/uuid';
import type { SealedColumn } from './vault.js';

export interface SealedRow {
  readonly id: Uuid;
  readonly sealed: Buffer;
}

/** Iterates over a table of sealed values, so that they can be sealed again with another key. */
export abstract class SealedRows {
  abstract readonly columns: readonly SealedColumn[];
  /** Rows after `after`, ordered by id. */
  abstract page(column: SealedColumn, after: Uuid | null, size: number): Promise<readonly SealedRow[]>;
  /** Replaces the value only if it is still `previous`; false if somebody else changed it. */
  abstract replace(column: SealedColumn, id: Uuid, previous: Buffer, sealed: Buffer): Promise<boolean>;
}
