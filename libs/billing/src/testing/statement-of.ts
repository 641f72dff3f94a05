import type { BillingWindow } from '../domain/ownership/billing-window.js';
import type { BillingContract } from '../domain/contracts/contract.js';
import { drawingSpans, ownershipSpans } from '../domain/ownership/ownership-span.js';
import type { BillableSpan } from '../domain/statements/statement-calculator.js';
import { calculateStatement, type StatementFigures } from '../domain/statements/statement-figures.js';
import { exactLine, exactPart } from '../domain/statements/statement-line.js';
import type { NamedHistory } from './a-license.js';
import { idOf, nameOf } from './ids.js';

/** The spans of the licenses under the given contracts, in the order that the engine requires. */
export function spansUnder(contracts: readonly BillingContract[], licenses: readonly NamedHistory[]): BillableSpan[] {
  const ids = new Set(contracts.map((contract) => contract.state.id));
  return licenses
    .flatMap((license) => {
      const dayless = drawingSpans(license).filter((span) => span.lastDay < span.firstDay);
      const spans = [...ownershipSpans(license), ...dayless].filter((span) => ids.has(span.contractId));
      return spans.map((span) => ({ ...span, licenseId: idOf(license.name), keyMasked: `…${license.name}` }));
    })
    .sort(
      (a, b) =>
        order(a.contractId, b.contractId) ||
        order(a.licenseId, b.licenseId) ||
        a.firstDay - b.firstDay ||
        a.lastDay - b.lastDay,
    );
}

/** The statement of one partner, from those of the given contracts and licenses that belong to it. */
export function statementOf(
  partner: string,
  contracts: readonly BillingContract[],
  licenses: readonly NamedHistory[],
  window: BillingWindow,
): StatementFigures {
  const own = contracts
    .filter((contract) => contract.state.partnerId === idOf(partner))
    .sort((a, b) => order(a.state.id, b.state.id));
  return calculateStatement(own, spansUnder(own, licenses), window);
}

/** A statement as plain data with the test's names, for comparison. */
export function readable(figures: StatementFigures, daysInMonth: number) {
  const lines = figures.lines.map((line) => ({
    contractId: nameOf(line.contractId),
    model: line.model,
    currency: line.currency,
    quantity: line.quantity,
    unitPriceCents: line.unitPriceCents,
    amountCents: line.amountCents,
    exact: exactLine(line, daysInMonth),
    detail: line.detail.map((part) => ({
      licenseId: nameOf(part.licenseId),
      days: part.days,
      exact: exactPart(part, line, daysInMonth),
      amountCents: part.amountCents,
    })),
    ...(line.pack && { pack: { ...line.pack } }),
  }));
  const totals = figures.totals.map(({ currency, cents }) => ({ currency, amountCents: cents }));
  return { lines, totals };
}

function order(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
