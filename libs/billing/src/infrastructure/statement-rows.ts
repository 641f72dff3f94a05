import { BillingPeriod } from '#kernel/time/billing-period';
import { Money } from '#kernel/money/money';
import type { Uuid } from '#kernel/crypto/uuid';
import type { StatementRecord } from '../application/ports/statement-repository.js';
import { Statement, type StatementStatus } from '../domain/statements/statement.js';

export interface StatementRow {
  readonly id: Uuid;
  readonly partner_id: Uuid;
  /** `YYYY-MM` */
  readonly period: string;
  readonly revision: number;
  readonly status: StatementStatus;
  readonly figures: number;
  readonly previous_figures: number | null;
  readonly computed_at: Date;
  readonly figures_hash: string;
  readonly contents_hash: string;
  readonly totals: readonly { readonly currency: string; readonly amountCents: number }[];
  readonly finalized_by: string | null;
  readonly finalized_at: Date | null;
  readonly supersedes_statement_id: Uuid | null;
  readonly correction_by: string | null;
  readonly correction_at: Date | null;
  readonly correction_reason: string | null;
  readonly reviewed_by: string | null;
  readonly reviewed_at: Date | null;
  readonly reviewed_hash: string | null;
  readonly needs_correction: boolean;
}

/** The statements `s` with their last review and their flag. */
export const SELECT_STATEMENTS = `
  select s.id, s.partner_id, to_char(s.period_start, 'YYYY-MM') as period, s.revision, s.status,
         s.figures::float8 as figures, s.previous_figures::float8 as previous_figures, s.computed_at, s.figures_hash,
         s.contents_hash, s.totals, s.finalized_by, s.finalized_at, s.supersedes_statement_id, s.correction_by,
         s.correction_at, s.correction_reason, r.by as reviewed_by, r.at as reviewed_at, r.figures_hash as reviewed_hash,
         exists (select 1 from billing.statement_flags f where f.statement_id = s.id) as needs_correction
    from billing.statements s
    left join lateral (select * from billing.reviews v where v.statement_id = s.id order by v.number desc limit 1) r
      on true`;

export function toRecord(row: StatementRow): StatementRecord {
  const { correction_by, correction_at, correction_reason, reviewed_by, reviewed_at, reviewed_hash } = row;
  const statement = Statement.restore({
    id: row.id,
    partnerId: row.partner_id,
    period: storedMonth(row.period),
    revision: row.revision,
    status: row.status,
    computedAt: row.computed_at,
    figuresHash: row.figures_hash,
    review:
      reviewed_by !== null && reviewed_at && reviewed_hash !== null
        ? { by: reviewed_by, at: reviewed_at, figuresHash: reviewed_hash }
        : null,
    finalizedBy: row.finalized_by,
    finalizedAt: row.finalized_at,
    supersedesStatementId: row.supersedes_statement_id,
    correction:
      correction_by !== null && correction_at && correction_reason !== null
        ? { by: correction_by, at: correction_at, reason: correction_reason }
        : null,
    needsCorrection: row.needs_correction,
  });
  const totals = row.totals.map(({ currency, amountCents }) => Money.of(amountCents, currency));
  const figures = { number: row.figures, contentsHash: row.contents_hash, totals };
  return { statement, figures, previousFigures: row.previous_figures };
}

export function totalsColumn(totals: readonly Money[]): string {
  return JSON.stringify(totals.map(({ currency, cents }) => ({ currency, amountCents: cents })));
}

function storedMonth(text: string): BillingPeriod {
  const period = BillingPeriod.parse(text);
  if (!period) throw new RangeError(`not a month in the database: ${text}`);
  return period;
}
