import { Command } from 'commander';
import { diagnose } from '../doctor/diagnose.js';
import type { CommandLine } from '../command-line.js';
import type { BothSidesSettings } from '../sides/both-sides.js';

export function doctorCommand(cli: CommandLine<BothSidesSettings>): Command {
  return cli.plain(
    new Command('doctor')
      .description('check everything that this installation needs, a line each, with the cure')
      .addHelpText(
        'after',
        '\nState: ok, failed, or off (not configured and not needed). Exit code 1 when a check failed.' +
          '\nWith --json an array of {check, state, detail, cure}, whatever the exit code.' +
          '\n\nExample: cli doctor',
      ),
    async () => {
      const findings = await diagnose(cli.settings);
      const rows = findings.map(({ check, state, detail, cure }) => [check, state, detail, cure]);
      return {
        json: findings,
        table: { head: ['check', 'state', 'detail', 'cure'], rows },
        exitCode: findings.some((finding) => finding.state === 'failed') ? 1 : 0,
      };
    },
  );
}
