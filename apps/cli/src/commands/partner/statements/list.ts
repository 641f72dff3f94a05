import type { Command } from 'commander';
import { StatementQueries } from '#libs/billing';
import { amounts } from '../../../billing/amounts.js';
import { partnerNames } from '../../../billing/partner-names.js';
import { optionalPeriod } from '../../../billing/period-option.js';
import { record, standing } from '../../../billing/statement-record.js';
import type { CommandLine } from '../../../command-line.js';
import { existingPartner } from '../../../existing-partner.js';
import { optionalUuid } from '../../../option-values.js';

const HEAD = ['month', 'statement', 'partner', 'rev.', 'status', 'total', 'finalized', 'by'];

export function listStatements(group: Command, cli: CommandLine): void {
  cli.withApplication(
    group
      .command('list')
      .description('list statements in any state, latest month first')
      .option('--partner <id>', 'only this partner')
      .option('--period <month>', 'only this month, YYYY-MM')
      .option('--needs-correction', 'only finalized statements whose facts have changed since')
      .addHelpText('after', '\nExample: cli statements list --period 2026-06 --needs-correction'),
    async (app, options) => {
      const [partnerId, period] = [optionalUuid(options, 'partner'), optionalPeriod(options)];
      if (partnerId) await existingPartner(app, partnerId);
      const statements = await app.get(StatementQueries, { strict: false }).listAll({
        partnerId,
        period,
        needsCorrection: options.needsCorrection === true,
      });
      const names = await partnerNames(app);
      const rows = statements.map((statement) => [
        statement.period.toString(),
        statement.id,
        names.get(statement.partnerId) ?? statement.partnerId,
        statement.revision,
        standing(statement),
        amounts(statement.totals),
        statement.finalizedAt,
        statement.finalizedBy,
      ]);
      return { json: statements.map(record), table: { head: HEAD, rows } };
    },
  );
}
