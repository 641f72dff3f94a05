import type { INestApplicationContext } from '@nestjs/common';
import { StatementQueries, type StatementView } from '#libs/billing';
import type { BillingPeriod } from '#kernel/time/billing-period';
import type { Uuid } from '#kernel/crypto/uuid';
import { amounts, changes, sum } from './amounts.js';
import { counted } from './counted.js';
import { partnerNames } from './partner-names.js';
import { standing } from './statement-record.js';

const HEAD = ['partner', 'statement', 'rev.', 'status', 'total', 'change'];

/**
 * The statements of a month compared with the previous month, with a total. The total of the previous month covers the
 * same partners only. A correction is compared with the revision that it replaces.
 * @param gone partners with nothing to bill this month; they get a row if they had something before
 */
export async function periodTable(
  app: INestApplicationContext,
  period: BillingPeriod,
  statements: readonly StatementView[],
  gone: readonly Uuid[] = [],
) {
  const [names, before] = [await partnerNames(app), await currentOf(app, period.previous())];
  const replaced = await replacedBy(app, period, statements);
  const totalsBefore = (partnerId: Uuid) => (replaced.get(partnerId) ?? before.get(partnerId))?.totals ?? null;
  const missed = gone.filter((partnerId) => (totalsBefore(partnerId) ?? []).length > 0);
  const rows = [
    ...statements.map((statement) => [
      names.get(statement.partnerId),
      statement.id,
      statement.revision,
      standing(statement),
      amounts(statement.totals),
      changed(statement, totalsBefore(statement.partnerId), replaced.get(statement.partnerId)),
    ]),
    ...missed.map((id) => [names.get(id), '', '', 'nothing to bill', '', changes([], totalsBefore(id))]),
  ];
  const total = sum(statements.map(({ totals }) => totals));
  const compared = [...statements.map(({ partnerId }) => partnerId), ...missed];
  const totalBefore = sum(compared.map((partnerId) => totalsBefore(partnerId) ?? []));
  const all = ['all', '', '', counted(statements.length, 'statement'), amounts(total), changes(total, totalBefore)];
  return { head: HEAD, rows: [...rows, all] };
}

function changed(statement: StatementView, before: StatementView['totals'] | null, replaced?: StatementView): string {
  const change = changes(statement.totals, before);
  return replaced ? `${change || 'nothing'}\nto rev. ${replaced.revision}` : change;
}

/** The revisions that these statements replace, by partner. */
async function replacedBy(
  app: INestApplicationContext,
  period: BillingPeriod,
  statements: readonly StatementView[],
): Promise<ReadonlyMap<Uuid, StatementView>> {
  const corrected = new Set(statements.map(({ supersedesStatementId }) => supersedesStatementId));
  if (statements.every(({ supersedesStatementId }) => !supersedesStatementId)) return new Map();
  const filter = { partnerId: null, period, needsCorrection: false };
  const all = await app.get(StatementQueries, { strict: false }).listAll(filter);
  return new Map(all.filter(({ id }) => corrected.has(id)).map((statement) => [statement.partnerId, statement]));
}

/** The statement of each partner that is not superseded. */
export async function currentOf(
  app: INestApplicationContext,
  period: BillingPeriod,
): Promise<ReadonlyMap<Uuid, StatementView>> {
  const filter = { partnerId: null, period, needsCorrection: false };
  const statements = await app.get(StatementQueries, { strict: false }).listAll(filter);
  const current = statements.filter(({ status }) => status !== 'superseded');
  return new Map(current.map((statement) => [statement.partnerId, statement]));
}
