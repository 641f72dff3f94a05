import type { Money } from '#kernel/money/money';
import type { BillingWindow } from '../ownership/billing-window.js';
import type { BillingContract } from '../contracts/contract.js';
import { StatementCalculator, type BillableSpan } from './statement-calculator.js';
import type { StatementLine, StatementPart } from './statement-line.js';

export interface DetailedLine extends StatementLine {
  /** Sorted by license id. Empty on lines that are not metered. */
  readonly detail: readonly StatementPart[];
}

export interface StatementFigures {
  /** By contract id. */
  readonly lines: readonly DetailedLine[];
  /** By currency code. */
  readonly totals: readonly Money[];
}

/**
 * The whole statement in memory, for a partner of moderate size. The input is the same as for StatementCalculator.
 * @throws RangeError if the input is out of order
 */
export function calculateStatement(
  contracts: readonly BillingContract[],
  spans: Iterable<BillableSpan>,
  window: BillingWindow,
): StatementFigures {
  const lines: DetailedLine[] = [];
  let detail: StatementPart[] = [];
  const calculator = new StatementCalculator(contracts, window, {
    part: (part) => detail.push(part),
    line: (line) => {
      lines.push({ ...line, detail });
      detail = [];
    },
  });
  for (const span of spans) calculator.add(span);
  return { totals: calculator.finish(), lines };
}
