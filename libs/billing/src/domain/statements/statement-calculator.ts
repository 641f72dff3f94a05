import { Money } from '#kernel/money/money';
import type { Uuid } from '#kernel/crypto/uuid';
import type { BillingWindow } from '../ownership/billing-window.js';
import type { BillingContract } from '../contracts/contract.js';
import { LineTally } from './line-tally.js';
import type { OwnershipSpan } from '../ownership/ownership-span.js';
import type { StatementLine, StatementPart } from './statement-line.js';
import { CurrencyTotals } from './currency-totals.js';

/** A span under one of the partner's contracts, with what a statement prints of the license. */
export interface BillableSpan extends OwnershipSpan {
  readonly licenseId: Uuid;
  readonly keyMasked: string;
}

/** Receives a statement as it is computed: the parts of a contract by license id, then the contract's line. */
export interface StatementSink {
  part(part: StatementPart): void;
  line(line: StatementLine): void;
}

/**
 * Computes the statement of one partner from a stream, contract by contract and license by license, in memory that does
 * not grow with the number of licenses.
 *
 * Spans come by contract id, then license id; the spans of one license under one contract by first day, then last day.
 * Spans outside the window are allowed. A pack counts every license drawn up to the window's end, so it needs all
 * drawing spans of its licenses, including those without a day. Other contracts need only the spans that touch the
 * window.
 */
export class StatementCalculator {
  readonly #totals = new CurrencyTotals();
  readonly #waiting: Iterator<LineTally, undefined>;
  /** The current contract; undefined once the statement is complete. */
  #tally: LineTally | undefined;
  /** The current license, as its first span under the contract. */
  #license: BillableSpan | null = null;
  #lastDay = 0;
  #days = 0;
  #eventIds: number[] = [];

  /**
   * @param contracts all contracts of the partner, by id
   * @throws RangeError if they are out of order
   */
  constructor(
    contracts: readonly BillingContract[],
    private readonly window: BillingWindow,
    private readonly sink: StatementSink,
  ) {
    contracts.forEach((contract, index) => {
      const previous = contracts[index - 1];
      if (previous && previous.state.id >= contract.state.id) throw new RangeError('contracts must come by id, once');
    });
    this.#waiting = contracts.map((contract) => new LineTally(contract, window)).values();
    this.#tally = this.#waiting.next().value;
  }

  /**
   * @throws RangeError if the span is out of order, of another partner's contract, or shares a day with the license's
   * previous span
   */
  add(span: BillableSpan): void {
    if (span.contractId !== this.#tally?.contract.state.id) this.#moveTo(span.contractId);
    if (span.licenseId !== this.#license?.licenseId) this.#begin(span);
    else if (span.firstDay <= this.#lastDay) throw new RangeError(`two spans share a day: ${span.licenseId}`);
    this.#lastDay = span.lastDay;
    const days = this.window.daysWithin(span.firstDay, span.lastDay);
    if (days > 0) this.#addDays(span, days);
  }

  /** Ends the stream and returns one total per currency, by code. Nothing may be added afterwards. */
  finish(): Money[] {
    while (this.#tally) this.#closeContract(this.#tally);
    return this.#totals.inOrder();
  }

  #addDays(span: BillableSpan, days: number): void {
    this.#days += days;
    if (span.openedBy !== null) this.#eventIds.push(span.openedBy);
    // An event that closes the span after the window does not affect the statement.
    if (span.closedBy !== null && span.lastDay < this.window.lastDay) this.#eventIds.push(span.closedBy);
  }

  #moveTo(contractId: Uuid): void {
    while (this.#tally && this.#tally.contract.state.id < contractId) this.#closeContract(this.#tally);
    if (this.#tally?.contract.state.id !== contractId) {
      throw new RangeError(`a span is out of order or of a foreign contract: ${contractId}`);
    }
  }

  #begin(span: BillableSpan): void {
    if (this.#license && span.licenseId < this.#license.licenseId) {
      throw new RangeError(`spans must come by license id: ${span.licenseId} after ${this.#license.licenseId}`);
    }
    this.#closeLicense();
    this.#license = span;
  }

  #closeContract(tally: LineTally): void {
    this.#closeLicense();
    this.#license = null;
    this.#tally = this.#waiting.next().value;
    const line = tally.line();
    if (line === null) return;
    this.#totals.add(line.currency, line.amountCents);
    this.sink.line(line);
  }

  #closeLicense(): void {
    if (this.#license && this.#tally) this.#count(this.#license, this.#tally);
    this.#days = 0;
    this.#eventIds = [];
  }

  #count(license: BillableSpan, tally: LineTally): void {
    const days = this.#days;
    if (tally.charging === 'by-pack' && license.firstDay <= this.window.lastDay) tally.addDrawn(license.firstDay);
    if (tally.charging === 'by-count' && days > 0) tally.addLicenses(1);
    if (tally.charging === 'by-license-day' && days > 0) {
      const { contractId, licenseId, keyMasked } = license;
      const amountCents = tally.addPart(days);
      this.sink.part({ contractId, licenseId, keyMasked, days, amountCents, eventIds: this.#eventIds });
    }
  }
}
