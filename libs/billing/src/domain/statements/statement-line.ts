import type { Uuid } from '#kernel/crypto/uuid';
import type { PricingModel } from '../contracts/pricing-model.js';
import { exactAmount } from '../ownership/proration.js';

/** One license's share of a metered contract's line: all its days of the month under that contract. */
export interface StatementPart {
  readonly contractId: Uuid;
  readonly licenseId: Uuid;
  readonly keyMasked: string;
  /** Days of the month, both ends included, separate spans added up; at least 1. */
  readonly days: number;
  /** Rounded once, after the days of all spans are added up. */
  readonly amountCents: number;
  /**
   * Ledger events behind the days, in the order of the spans: the event that began each span, and the one that ended it
   * within the month. Empty if the spans carry none.
   */
  readonly eventIds: readonly number[];
}

/** How much of a prepaid pack is used at the end of the period. */
export interface PackCount {
  readonly size: number;
  /** Licenses ever drawn, including those terminated or moved away since. */
  readonly drawn: number;
  readonly drawnInPeriod: number;
  /** Never below 0, even if an import drew more than the size. */
  readonly remaining: number;
}

/** The terms of a contract that a statement prints. */
export interface LineTerms {
  readonly contractId: Uuid;
  readonly model: PricingModel;
  /** ISO 4217 */
  readonly currency: string;
  readonly unitPriceCents: number;
}

/** One contract on a statement. */
export interface StatementLine extends LineTerms {
  readonly quantity: number;
  /** The sum of the line's rounded parts. */
  readonly amountCents: number;
  /** Days by which the price was multiplied, over all licenses; 0 on lines that are not billed by day. */
  readonly billedDays: number;
  /** Only on the line of a prepaid_pack. */
  readonly pack: PackCount | null;
}

/** The amount of a part before rounding, as a reduced fraction of cents: `1000/3`. */
export function exactPart(part: StatementPart, line: LineTerms, daysInMonth: number): string {
  return exactAmount(line.unitPriceCents, part.days, daysInMonth);
}

/** The amount of a line before rounding: the sum of its exact parts. */
export function exactLine(line: StatementLine, daysInMonth: number): string {
  return exactAmount(line.unitPriceCents, line.billedDays, daysInMonth);
}
