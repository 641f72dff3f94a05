import type { BillingWindow } from '../ownership/billing-window.js';
import type { BillingContract } from '../contracts/contract.js';
import { chargingOf, type Charging } from '../contracts/pricing-model.js';
import { addCents, prorate } from '../ownership/proration.js';
import type { StatementLine } from './statement-line.js';

/** Counts the licenses of one contract and builds the contract's line, in constant memory. */
export class LineTally {
  readonly charging: Charging;
  readonly #amountByDays: number[] = [];
  #licenses = 0;
  #drawnInPeriod = 0;
  #billedDays = 0;
  #amountCents = 0;

  constructor(
    readonly contract: BillingContract,
    private readonly window: BillingWindow,
  ) {
    this.charging = chargingOf(contract.state.model);
  }

  /**
   * Adds a license of a metered contract.
   * @param days at least 1
   * @returns the license's amount in cents
   * @throws RangeError if the days exceed the month
   */
  addPart(days: number): number {
    // At most 31 different amounts are possible, so each is computed once.
    const amountCents = (this.#amountByDays[days] ??= this.#prorate(days));
    this.#licenses++;
    this.#billedDays += days;
    this.#amountCents = addCents(this.#amountCents, amountCents);
    return amountCents;
  }

  /** Adds many licenses of a metered contract with the same number of days. */
  addParts(days: number, licenses: number): void {
    this.#licenses += licenses;
    this.#billedDays += days * licenses;
    this.#amountCents = addCents(this.#amountCents, this.#prorate(days) * licenses);
  }

  addLicenses(licenses: number): void {
    this.#licenses += licenses;
  }

  /** @param drawnOn epoch day on which the license drew its slot of the pack */
  addDrawn(drawnOn: number): void {
    this.#licenses++;
    if (drawnOn >= this.window.firstDay) this.#drawnInPeriod++;
  }

  /** The contract's line, or null if it has none in this period. */
  line(): StatementLine | null {
    switch (this.charging) {
      case 'by-license-day':
      case 'by-count':
        return this.#licenses === 0 ? null : this.#line(this.#licenses, this.#amountCents, this.#billedDays);
      case 'by-contract-day': {
        const days = this.contract.validDaysIn(this.window);
        return days === 0 ? null : this.#line(1, this.#prorate(days), days);
      }
      case 'by-pack':
        return this.contract.validDaysIn(this.window) === 0 ? null : this.#packLine();
    }
  }

  #packLine(): StatementLine {
    const size = this.contract.state.packSize ?? 0;
    const drawn = this.#licenses;
    const remaining = Math.max(0, size - drawn);
    return { ...this.#line(drawn, 0, 0), pack: { size, drawn, drawnInPeriod: this.#drawnInPeriod, remaining } };
  }

  #line(quantity: number, amountCents: number, billedDays: number): StatementLine {
    const { id: contractId, model, currency, unitPriceCents } = this.contract.state;
    return { contractId, model, currency, unitPriceCents, quantity, amountCents, billedDays, pack: null };
  }

  #prorate(days: number): number {
    return prorate(this.contract.state.unitPriceCents, days, this.window.period.days);
  }
}
