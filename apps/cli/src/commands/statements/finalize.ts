import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { StatementQueries, StatementService, type StatementView } from '#libs/billing';
import type { BillingPeriod } from '#kernel/billing-period';
import type { Uuid } from '#kernel/uuid';
import { periodOption } from '../../billing/period-option.js';
import { errorOf, forPartners, nameOption, partnersOf, type PeriodResult } from '../../billing/period-run.js';
import { periodTable } from '../../billing/period-table.js';
import { record } from '../../billing/statement-record.js';
import type { CommandLine } from '../../command-line.js';
import { assertCanAsk, confirm } from '../../confirm.js';
import { printResult } from '../../output.js';
import type { Terminal } from '../../terminal.js';

export function finalizeStatements(group: Command, cli: CommandLine, terminal: Terminal): void {
  cli.withApplication(
    group
      .command('finalize')
      .description('lock the reviewed drafts of a month that has ended; nothing in them changes afterwards')
      .requiredOption('--period <month>', 'YYYY-MM')
      .requiredOption('--by <name>', 'who locks them')
      .option('--partner <id>', 'only this partner')
      .option('--review', 'review them first, in the same name')
      .option('--yes', 'do not ask')
      .addHelpText('after', '\nExample: cli statements finalize --period 2026-06 --by Ada'),
    async (app, options) => {
      const [period, by] = [periodOption(options), nameOption(options)];
      const service = app.get(StatementService, { strict: false });
      service.assertEnded(period);
      const partners = await partnersOf(app, options, period);
      assertCanAsk(options, terminal);
      if (options.review === true) {
        await forPartners('Reviewing', partners, terminal.err, (id) => service.review(id, period, by));
      }
      if (options.yes !== true) {
        const drafts = await draftsOf(app, period, partners);
        printResult({ json: null, table: await periodTable(app, period, drafts) }, false, terminal.err);
        await confirm(`Lock ${drafts.length} statements of ${period.toString()} for ever?`, options, terminal);
      }
      const result = await forPartners('Finalizing', partners, terminal.err, (id) => service.finalize(id, period, by));
      return {
        json: summary(period, result),
        table: await periodTable(app, period, result.done),
        text: told(period, result),
        exitCode: result.refused.length > 0 ? 1 : 0,
      };
    },
  );
}

async function draftsOf(
  app: INestApplicationContext,
  period: BillingPeriod,
  partners: readonly Uuid[],
): Promise<StatementView[]> {
  const all = await app
    .get(StatementQueries, { strict: false })
    .listAll({ partnerId: null, period, needsCorrection: false });
  const wanted = new Set(partners);
  return all.filter(({ status, partnerId, review }) => status === 'draft' && review && wanted.has(partnerId));
}

function summary(period: BillingPeriod, result: PeriodResult) {
  return {
    ...errorOf(result),
    period: period.toString(),
    finalized: result.done.map(record),
    alreadyFinalized: result.locked.map(record),
    nothingToBill: result.nothing,
    refused: result.refused,
  };
}

function told(period: BillingPeriod, { done, locked, nothing, refused }: PeriodResult): string {
  const counts = [
    `Finalized ${done.length} statements of ${period.toString()}.`,
    ...(locked.length > 0 ? [`${locked.length} were finalized before and stay as they are.`] : []),
    ...(nothing > 0 ? [`${nothing} partners have nothing to bill.`] : []),
  ];
  return [counts.join(' '), ...refused.map(({ partnerId, message }) => `Refused ${partnerId}: ${message}`)].join('\n');
}
