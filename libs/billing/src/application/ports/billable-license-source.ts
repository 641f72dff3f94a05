import type { Uuid } from '#kernel/crypto/uuid';
import type { BillingWindow } from '../../domain/ownership/billing-window.js';
import type { BillableSpan } from '../../domain/statements/statement-calculator.js';

export interface BillableContract {
  readonly id: Uuid;
  /**
   * `stays`: the spans of the contract's licenses that touch the window. `draws`: for each license that drew a slot of
   * this pack up to the window's end, one span without a day, `lastDay = firstDay - 1`, starting on the day of the
   * drawing.
   */
  readonly asks: 'stays' | 'draws';
}

/** Number of licenses that were under the contract for a number of days of the window, separate spans added up. */
export interface DayCount {
  readonly contractId: Uuid;
  /** At least 1. */
  readonly days: number;
  readonly licenses: number;
}

/** Who owned which license from when to when; implemented by licensing. */
export abstract class BillableLicenseSource {
  /**
   * The spans of the licenses under these contracts, by contract id, license id and first day, some thousands at a
   * time. Reads within the open transaction, which must last until all are read.
   * @param contracts by id
   */
  abstract stays(contracts: readonly BillableContract[], window: BillingWindow): AsyncIterable<readonly BillableSpan[]>;
  /** For all contracts at once, counted by the database: as many rows as there are different numbers of days. */
  abstract dayCounts(window: BillingWindow): Promise<DayCount[]>;
}
