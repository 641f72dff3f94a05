import type { SetStatement } from '#platform/database/batching/set-statement';
import type { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';

/** A statement of a write with its question. It fails when it does not find all that it needs (`requireAllRows`). */
export interface WritePart {
  readonly statement: SetStatement<unknown>;
  readonly question: unknown;
  /** What that means to the caller; null where the write as a whole is refused. */
  readonly refusal: (() => Error) | null;
}

/** From which day on whose bills change. */
export interface ChangedFacts {
  readonly partnerIds: readonly Uuid[];
  readonly from: BillingDate;
}

/** All that one call of `LicenseWriter` writes, in one transaction. */
export interface LicenseWrite {
  /** Whether places in the lists of ancestors are written: the shape of the partner tree is held first. */
  readonly locksTree: boolean;
  /** In their order; the first one answers. */
  readonly parts: readonly [WritePart, ...WritePart[]];
  /** Null when no bill changes. */
  readonly facts: ChangedFacts | null;
}

/** What the first statement of a write answers. */
export interface WrittenRow {
  /** Of a new license or reservation. */
  readonly number?: string;
}

/** What a write was decided on does not hold any more. */
export class WriteRefused extends Error {
  constructor() {
    super('the license is not as it was read');
  }
}
