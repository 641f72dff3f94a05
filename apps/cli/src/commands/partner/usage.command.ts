import { Command } from 'commander';
import { StatementService } from '#libs/billing';
import { BillingDate } from '#kernel/time/calendar-date';
import { BillingPeriod } from '#kernel/time/billing-period';
import { Clock } from '#kernel/time/clock';
import { counted } from '../../billing/counted.js';
import { optionalPeriod } from '../../billing/period-option.js';
import { forPartners, partnersOf } from '../../billing/period-run.js';
import { periodTable } from '../../billing/period-table.js';
import { record } from '../../billing/statement-record.js';
import type { CommandLine } from '../../command-line.js';
import type { Terminal } from '../../terminal/terminal.js';

export function usageCommand(cli: CommandLine, terminal: Terminal): Command {
  const group = new Command('usage');
  cli.withApplication(
    group
      .command('recompute')
      .description('compute drafts now (the worker does so daily)')
      .option('--partner <id>', 'only this partner')
      .option('--period <month>', 'YYYY-MM (default: the current month)')
      .addHelpText('after', '\nExample: cli usage recompute --partner 6f6c1d7e-…'),
    async (app, options) => {
      const given = optionalPeriod(options);
      const service = app.get(StatementService, { strict: false });
      const period = given ?? BillingPeriod.containing(BillingDate.of(app.get(Clock).now()));
      const partners = await partnersOf(app, options, period);
      const { done, locked, nothing } = await forPartners('Computing', partners, terminal.err, (partnerId) =>
        service.recomputeDraft(partnerId, period),
      );
      const sentence =
        locked.length > 0 ? ` ${counted(locked.length, 'statement')} already finalized, not changed.` : '';
      return {
        json: { period: period.toString(), recomputed: done.map(record), locked: locked.map(record) },
        table: await periodTable(app, period, done, nothing),
        text: `Computed ${counted(done.length, 'draft')} of ${period.toString()}.${sentence}`,
      };
    },
  );
  return group;
}
