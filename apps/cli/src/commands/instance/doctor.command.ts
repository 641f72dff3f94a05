import { Command } from 'commander';
import type { CommandLine } from '../../command-line.js';
import type { BothSidesSettings } from '../../sides/both-sides.js';

export function doctorCommand(cli: CommandLine<BothSidesSettings>): Command {
  return cli.plain(
    new Command('doctor').addHelpText(
      'after',
      '\nState: ok, failed, or off (not configured and not needed). Exit code 1 when a check failed.' +
        '\nWith --json an array of {check, state, detail, cure}, whatever the exit code.' +
        '\n\nExample: cli doctor',
    ),
    async () => {
      const { diagnose } = await import('../../doctor/diagnose.js');
      const findings = await diagnose(await cli.settings());
      const rows = findings.map(({ check, state, detail, cure }) => [check, state, detail, cure]);
      return {
        json: findings,
        table: { head: ['check', 'state', 'detail', 'cure'], rows },
        exitCode: findings.some((finding) => finding.state === 'failed') ? 1 : 0,
      };
    },
  );
}
