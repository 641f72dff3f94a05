import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { StatementService } from '#libs/billing';
import type { BillingPeriod } from '#kernel/time/billing-period';
import type { Uuid } from '#kernel/crypto/uuid';
import { counted } from '../../../billing/counted.js';
import { partnerNames } from '../../../billing/partner-names.js';
import { periodOption } from '../../../billing/period-option.js';
import { errorOf, forPartners, nameOption, partnersOf, type PeriodResult } from '../../../billing/period-run.js';
import { currentOf, periodTable } from '../../../billing/period-table.js';
import { record } from '../../../billing/statement-record.js';
import type { CommandLine, Options } from '../../../command-line.js';
import { assertCanAsk, confirm } from '../../../terminal/confirm.js';
import { printResult } from '../../../terminal/output.js';
import type { Terminal } from '../../../terminal/terminal.js';

/** Maximum number of refusals printed as text: many share one reason, and --json lists all. */
const MAX_REFUSALS = 20;

export function finalizeStatements(group: Command, cli: CommandLine, terminal: Terminal): void {
  cli.withApplication(
    group
      .command('finalize')
      .description('finalize the reviewed drafts of a month that has ended; they can no longer change')
      .requiredOption('--period <month>', 'YYYY-MM')
      .requiredOption('--by <name>', 'name of the person who finalizes them')
      .option('--partner <id>', 'only this partner')
      .option('--review', 'review the drafts first, under the same name')
      .option('--yes', 'do not ask for confirmation')
      .addHelpText('after', '\nExample: cli statements finalize --period 2026-06 --by Ada'),
    async (app, options) => {
      const [period, by] = [periodOption(options), nameOption(options)];
      const service = app.get(StatementService, { strict: false });
      service.assertEnded(period);
      const partners = await partnersOf(app, options, period);
      if (await mayLock(app, period, partners, options)) assertCanAsk(options, terminal);
      const reviews = options.review === true;
      const asks = options.yes !== true;
      if (reviews && asks) {
        await forPartners('Reviewing', partners, terminal.err, (id) => service.review(id, period, by));
      }
      if (asks) await ask(app, period, partners, options, terminal);
      const result = await forPartners('Finalizing', partners, terminal.err, (id) =>
        reviews && !asks ? service.reviewAndFinalize(id, period, by) : service.finalize(id, period, by),
      );
      return {
        json: summary(period, result),
        table: await periodTable(app, period, [...result.done, ...result.locked], result.nothing),
        text: told(period, result, await partnerNames(app)),
        exitCode: result.refused.length > 0 ? 1 : 0,
      };
    },
  );
}

/** Whether the run would finalize anything. If not, a script does not need `--yes`. */
async function mayLock(
  app: INestApplicationContext,
  period: BillingPeriod,
  partners: readonly Uuid[],
  options: Options,
): Promise<boolean> {
  const current = await currentOf(app, period);
  return partners.some((partnerId) => {
    const statement = current.get(partnerId);
    if (!statement) return options.review === true;
    return statement.status === 'draft' && (options.review === true || statement.review !== null);
  });
}

/**
 * Shows what would be finalized and asks for confirmation. If there is nothing, the run says why.
 * @throws Conflict `not-confirmed`
 */
async function ask(
  app: INestApplicationContext,
  period: BillingPeriod,
  partners: readonly Uuid[],
  options: Options,
  terminal: Terminal,
): Promise<void> {
  const current = await currentOf(app, period);
  const statements = partners.flatMap((partnerId) => current.get(partnerId) ?? []);
  const drafts = statements.filter(({ status, review }) => status === 'draft' && review);
  if (drafts.length === 0) return;
  const gone = partners.filter((partnerId) => !current.has(partnerId));
  printResult({ json: null, table: await periodTable(app, period, drafts, gone) }, false, terminal.err);
  await confirm(`Lock ${counted(drafts.length, 'statement')} of ${period.toString()} for ever?`, options, terminal);
}

function summary(period: BillingPeriod, result: PeriodResult) {
  return {
    ...errorOf(result),
    period: period.toString(),
    finalized: result.done.map(record),
    alreadyFinalized: result.locked.map(record),
    nothingToBill: result.nothing.length,
    refused: result.refused,
  };
}

function told(period: BillingPeriod, result: PeriodResult, names: ReadonlyMap<Uuid, string>): string {
  const { done, locked, nothing, refused } = result;
  const counts = [
    `Finalized ${counted(done.length, 'statement')} of ${period.toString()}.`,
    ...(locked.length > 0 ? [`${counted(locked.length, 'statement')} already finalized, not changed.`] : []),
    ...(nothing.length > 0 ? [`Nothing to bill for ${counted(nothing.length, 'partner')}.`] : []),
    ...(refused.length > 0 ? [`Refused ${counted(refused.length, 'partner')}:`] : []),
  ];
  const reasons = refused
    .slice(0, MAX_REFUSALS)
    .map(({ partnerId, message }) => `  ${names.get(partnerId)} (${partnerId}): ${message}`);
  const others = refused.length > MAX_REFUSALS ? [`  and ${refused.length - MAX_REFUSALS} more`] : [];
  return [counts.join(' '), ...reasons, ...others].join('\n');
}
