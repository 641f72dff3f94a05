import type { Command } from 'commander';
import { StatementService } from '#libs/billing';
import { counted } from '../../../billing/counted.js';
import { periodOption } from '../../../billing/period-option.js';
import { forPartners, nameOption, partnersOf } from '../../../billing/period-run.js';
import { periodTable } from '../../../billing/period-table.js';
import { record } from '../../../billing/statement-record.js';
import type { CommandLine } from '../../../command-line.js';
import type { Terminal } from '../../../terminal/terminal.js';

export function reviewStatements(group: Command, cli: CommandLine, { err }: Terminal): void {
  cli.withApplication(
    group
      .command('review')
      .description('compute the drafts of a month, show their figures and record the review')
      .requiredOption('--period <month>', 'YYYY-MM')
      .requiredOption('--by <name>', 'name of the person who reviews them')
      .option('--partner <id>', 'only this partner')
      .addHelpText('after', '\nExample: cli statements review --period 2026-06 --by Ada'),
    async (app, options) => {
      const [period, by] = [periodOption(options), nameOption(options)];
      const service = app.get(StatementService, { strict: false });
      const partners = await partnersOf(app, options, period);
      const { done, locked, nothing } = await forPartners('Computing', partners, err, (partnerId) =>
        service.review(partnerId, period, by),
      );
      const left = locked.length > 0 ? ` ${counted(locked.length, 'statement')} already finalized, not changed.` : '';
      return {
        json: { period: period.toString(), reviewed: done.map(record), locked: locked.map(record) },
        table: await periodTable(app, period, done, nothing),
        text: `Reviewed ${counted(done.length, 'draft')} of ${period.toString()} by ${by}.${left}`,
      };
    },
  );
}
