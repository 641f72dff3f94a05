import type { StatementView } from '#libs/billing';

/** A statement for scripts: the fields of the API, and those that only staff may see. */
export function record(statement: StatementView) {
  const { id, partnerId, period, revision, status, computedAt, finalizedBy, finalizedAt } = statement;
  const { supersedesStatementId, totals, review, correction, needsCorrection, figuresHash } = statement;
  return {
    id,
    partnerId,
    periodStart: period.firstDay,
    periodEnd: period.lastDay,
    revision,
    status,
    computedAt,
    finalizedBy,
    finalizedAt,
    ...(supersedesStatementId && { supersedesStatementId }),
    totals: totals.map(({ currency, cents }) => ({ currency, amountCents: cents })),
    needsCorrection,
    figuresHash,
    review,
    correction,
  };
}

/** The state of the statement, in words. */
export function standing({ status, review, figuresHash, needsCorrection, correction }: StatementView): string {
  if (status !== 'draft') return needsCorrection ? `${status}, needs correction` : status;
  const kind = correction ? 'draft of a correction' : 'draft';
  if (review === null) return kind;
  return review.figuresHash === figuresHash ? `${kind}, reviewed by ${review.by}` : `${kind}, changed since the review`;
}
