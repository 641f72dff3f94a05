import type { Uuid } from '#kernel/crypto/uuid';
import type { BillingWindow } from '../../domain/ownership/billing-window.js';
import type { BillableSpan } from '../../domain/statements/statement-calculator.js';

export interface BillableContract {
  readonly id: Uuid;
  /**
   * `spans`: the spans of the contract's licenses that touch the window. `draws`: for each license that drew a slot of
   * this pack up to the window's end, one span without a day, `lastDay = firstDay - 1`, starting on the day of the
   * drawing.
   */
  readonly asks: 'spans' | 'draws';
}

/** Number of licenses that were under the contract for a number of days of the window, separate spans added up. */
export interface DayCount {
  readonly contractId: Uuid;
  /** At least 1. */
  readonly days: number;
  readonly licenses: number;
}

/** The ownership spans of licenses. Implemented by licensing. */
export abstract class BillableLicenseSource {
  /**
   * The spans of the licenses under these contracts, by contract id, license id and first day, some thousands at a
   * time. Reads within the open transaction, which must last until all are read.
   * @param contracts by id
   */
  abstract spans(contracts: readonly BillableContract[], window: BillingWindow): AsyncIterable<readonly BillableSpan[]>;
  /** For all contracts at once, counted by the database: one row for each contract and number of days. */
  abstract dayCounts(window: BillingWindow): Promise<DayCount[]>;
}
