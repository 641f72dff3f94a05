import type { Uuid } from '#kernel/crypto/uuid';
import type { BillingWindow } from '../../domain/ownership/billing-window.js';
import type { BillableSpan } from '../../domain/statements/statement-calculator.js';

export interface BillableContract {
  readonly id: Uuid;
  /**
   * `stays`: the stays of its licenses that touch the window. `draws`: for each license that ever drew a slot of this
   * pack up to the window's end one stay of no day, `lastDay = firstDay - 1`, that begins on the day of the drawing.
   */
  readonly asks: 'stays' | 'draws';
}

/** So many licenses were under the contract for so many days of the window, separate stays added. */
export interface DayCount {
  readonly contractId: Uuid;
  /** At least 1. */
  readonly days: number;
  readonly licenses: number;
}

/** Who owned which license from when to when; licensing knows. */
export abstract class BillableLicenseSource {
  /**
   * The stays of the licenses under these contracts, by contract id, license id and first day, some thousands at a
   * time. Reads within the open transaction, which must last until all are read.
   * @param contracts by id
   */
  abstract stays(contracts: readonly BillableContract[], window: BillingWindow): AsyncIterable<readonly BillableSpan[]>;
  /** For all contracts at once, counted by the database: as many rows as there are different numbers of days. */
  abstract dayCounts(window: BillingWindow): Promise<DayCount[]>;
}
