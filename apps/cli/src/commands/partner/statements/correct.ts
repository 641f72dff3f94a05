import type { Command } from 'commander';
import { StatementQueries, StatementService } from '#libs/billing';
import { changes } from '../../../billing/amounts.js';
import { nameOption } from '../../../billing/period-run.js';
import { periodTable } from '../../../billing/period-table.js';
import { record } from '../../../billing/statement-record.js';
import type { CommandLine } from '../../../command-line.js';
import { confirm } from '../../../terminal/confirm.js';
import { text, uuidValue } from '../../../option-values.js';
import type { Terminal } from '../../../terminal/terminal.js';

export function correctStatement(group: Command, cli: CommandLine, terminal: Terminal): void {
  cli.withApplication(
    group
      .command('correct <statementId>')
      .description('supersede a finalized statement and compute a draft of the next revision')
      .requiredOption('--by <name>', 'name of the person who corrects it')
      .requiredOption('--reason <text>', 'why')
      .option('--yes', 'do not ask for confirmation')
      .addHelpText('after', '\nExample: cli statements correct 7d0e3a52-… --by Ada --reason "late transfer"'),
    async (app, options, [id]) => {
      const [statementId, by, reason] = [uuidValue(id, 'statementId'), nameOption(options), text(options, 'reason')];
      const { statement } = await app.get(StatementQueries, { strict: false }).show(statementId);
      const { period, revision, partnerId } = statement;
      const subject = `revision ${revision} of ${period.toString()} of partner ${partnerId}`;
      await confirm(`Supersede ${subject}?`, options, terminal);
      const draft = await app.get(StatementService, { strict: false }).correct(statementId, by, reason);
      return {
        json: record(draft),
        table: await periodTable(app, period, [draft]),
        text: [
          `Superseded ${subject}. The draft of revision ${draft.revision} is waiting for review.`,
          `Compared with the previous revision: ${changes(draft.totals, statement.totals).replaceAll('\n', ', ') || 'nothing'}.`,
        ].join('\n'),
      };
    },
  );
}
