import type { BillingPeriod } from '#kernel/time/billing-period';
import type { Money } from '#kernel/money/money';
import type { StatementState } from './statement.js';
import type { StatementLine, StatementPart } from './statement-line.js';

type PrintedPart = Pick<StatementPart, 'licenseId' | 'keyMasked' | 'days' | 'amountCents'>;

/**
 * The JSON document of one statement, in pieces: open, then every line by contract id, each followed by its parts by
 * license id, then close. The order of the keys and the absence of white space are fixed: the same statement gives the
 * same bytes.
 */
export class StatementJson {
  #beforeLine = '';
  #beforePart = '';

  open(statement: StatementState, totals: readonly Money[]): string {
    const { id, partnerId, period, revision, status, computedAt, finalizedBy, finalizedAt } = statement;
    const head = JSON.stringify({
      id,
      partnerId,
      periodStart: period.firstDay,
      periodEnd: period.lastDay,
      revision,
      status,
      computedAt,
      finalizedBy,
      finalizedAt,
      ...(statement.supersedesStatementId && { supersedesStatementId: statement.supersedesStatementId }),
      totals: totals.map(printedTotal),
    });
    return `${head.slice(0, -1)},"lines":[`;
  }

  /** Opens the summary of the current month instead of a statement. */
  openUsage(period: BillingPeriod, computedAt: Date | null, totals: readonly Money[]): string {
    const { firstDay: periodStart, lastDay: periodEnd } = period;
    const head = JSON.stringify({ periodStart, periodEnd, computedAt, totals: totals.map(printedTotal) });
    return `${head.slice(0, -1)},"lines":[`;
  }

  line(line: StatementLine): string {
    const { contractId, model, currency, quantity, unitPriceCents, amountCents, pack } = line;
    const head = JSON.stringify({
      contractId,
      model,
      currency,
      quantity,
      unitPriceCents,
      amountCents,
      ...(pack && {
        pack: { size: pack.size, drawn: pack.drawn, drawnInPeriod: pack.drawnInPeriod, remaining: pack.remaining },
      }),
    });
    const before = this.#beforeLine;
    this.#beforeLine = ']},';
    this.#beforePart = '';
    return `${before}${head.slice(0, -1)},"detail":[`;
  }

  /** A part of the line written last. */
  part({ licenseId, keyMasked, days, amountCents }: PrintedPart): string {
    const comma = this.#beforePart;
    this.#beforePart = ',';
    const key = JSON.stringify(keyMasked);
    return `${comma}{"licenseId":"${licenseId}","keyMasked":${key},"days":${days},"amountCents":${amountCents}}`;
  }

  close(): string {
    return this.#beforeLine === '' ? ']}' : ']}]}';
  }
}

function printedTotal({ currency, cents }: Money): { currency: string; amountCents: number } {
  return { currency, amountCents: cents };
}
