import { Command } from 'commander';
import type { CommandLine } from '../../command-line.js';
import { optionalUuid } from '../../option-values.js';

export function ledgerCommand(cli: CommandLine): Command {
  const group = new Command('ledger');
  cli.withApplication(
    group
      .command('verify')
      .description('recompute the hash chain of every license, or of one, and report the first broken row')
      .option('--license <id>', 'only this license')
      .addHelpText('after', '\nExample: cli ledger verify --license 9c5b94b1-…'),
    async (app, options) => {
      const { LedgerVerification } = await import('#libs/licensing');
      const verification = app.get(LedgerVerification, { strict: false });
      const { licenses, events, broken } = await verification.verify(optionalUuid(options, 'license'));
      const counted = `${licenses} licenses, ${events} events`;
      const text = broken
        ? `Broken: ${broken.reason} (license ${broken.licenseId}, event ${broken.eventId ?? 'none'}). Checked ${counted}.`
        : `Intact: ${counted}.`;
      const report = { intact: broken === null, licenses, events, broken };
      if (!broken) return { json: report, text };
      return { json: { ...report, error: { code: 'ledger-broken', message: text } }, text, exitCode: 1 };
    },
  );
  return group;
}
