import type { SetStatement } from '#platform/database/batching/set-statement';
import type { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';

/** A statement of a write with its parameters. It fails if it does not find everything it needs (`requireAllRows`). */
export interface WritePart {
  readonly statement: SetStatement<unknown>;
  readonly question: unknown;
  /** The caller's error in that case; null if the write as a whole is refused. */
  readonly refusal: (() => Error) | null;
}

/** Whose bills change, and from which day on. */
export interface ChangedFacts {
  readonly partnerIds: readonly Uuid[];
  readonly from: BillingDate;
}

/** Everything that one call of `LicenseWriter` writes, in one transaction. */
export interface LicenseWrite {
  /** Whether it writes list entries of ancestors, for which the partner tree must be locked first. */
  readonly locksTree: boolean;
  /** In order; the first one returns the result. */
  readonly parts: readonly [WritePart, ...WritePart[]];
  /** Null if no bill changes. */
  readonly facts: ChangedFacts | null;
}

/** Result of the first statement of a write. */
export interface WrittenRow {
  /** Number of a new license or reservation. */
  readonly number?: string;
}

/** The license, reservation or customer changed after the decision was made. */
export class WriteRefused extends Error {
  constructor() {
    super('the license changed after it was read');
  }
}
