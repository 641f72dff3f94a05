import type { INestApplicationContext } from '@nestjs/common';
import { StatementQueries, type StatementView } from '#libs/billing';
import { Partners } from '#libs/partners';
import type { BillingPeriod } from '#kernel/billing-period';
import type { Uuid } from '#kernel/uuid';
import { amounts, changes, sum } from './amounts.js';
import { standing } from './statement-record.js';

const HEAD = ['partner', 'statement', 'rev.', 'status', 'total in cents', 'change'];

/** Statements of one month beside those of the month before, with the sum of all. */
export async function periodTable(
  app: INestApplicationContext,
  period: BillingPeriod,
  statements: readonly StatementView[],
) {
  const names = new Map((await app.get(Partners, { strict: false }).list()).map(({ id, name }) => [id, name]));
  const before = await currentOf(app, period.previous());
  const rows = statements.map((statement) => [
    names.get(statement.partnerId),
    statement.id,
    statement.revision,
    standing(statement),
    amounts(statement.totals),
    changes(statement.totals, before.get(statement.partnerId)?.totals ?? null),
  ]);
  const total = sum(statements.map(({ totals }) => totals));
  const totalBefore = sum([...before.values()].map(({ totals }) => totals));
  const all = ['all', '', '', `${statements.length} statements`, amounts(total), changes(total, totalBefore)];
  return { head: HEAD, rows: [...rows, all] };
}

async function currentOf(app: INestApplicationContext, period: BillingPeriod): Promise<Map<Uuid, StatementView>> {
  const filter = { partnerId: null, period, needsCorrection: false };
  const statements = await app.get(StatementQueries, { strict: false }).listAll(filter);
  const current = statements.filter(({ status }) => status !== 'superseded');
  return new Map(current.map((statement) => [statement.partnerId, statement]));
}
