import { Command, CommanderError } from 'commander';
import { CommandLine, EXIT_USAGE } from './command-line.js';
import { contractsCommand } from './commands/contracts.command.js';
import { demoCommand } from './commands/demo.command.js';
import { doctorCommand } from './commands/doctor.command.js';
import { importCommand } from './commands/import.command.js';
import { ledgerCommand } from './commands/ledger.command.js';
import { keysCommand } from './commands/keys.command.js';
import { membersCommand } from './commands/members.command.js';
import { migrateCommand } from './commands/migrate.command.js';
import { orgsCommand } from './commands/orgs.command.js';
import { partnersCommand } from './commands/partners.command.js';
import { secretsCommand } from './commands/secrets.command.js';
import { servicesCommand } from './commands/services.command.js';
import { statementsCommand } from './commands/statements.command.js';
import { tokensCommand } from './commands/tokens.command.js';
import { usageCommand } from './commands/usage.command.js';
import { usersCommand } from './commands/users.command.js';
import type { Terminal } from './terminal.js';

/** Runs one command line. Exit codes: 0 done, 1 refused or failed, 2 wrong usage. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  const { out, err, input } = terminal;
  let exitCode = 0;
  const cli = new CommandLine(terminal, (code) => (exitCode = code));
  const program = new Command('cli').description('Tenantry, for staff').showHelpAfterError();
  program
    .addCommand(migrateCommand(cli))
    .addCommand(partnersCommand(cli))
    .addCommand(contractsCommand(cli))
    .addCommand(tokensCommand(cli))
    .addCommand(usageCommand(cli, terminal))
    .addCommand(statementsCommand(cli, terminal))
    .addCommand(ledgerCommand(cli))
    .addCommand(importCommand(cli))
    .addCommand(usersCommand(cli, input))
    .addCommand(orgsCommand(cli))
    .addCommand(membersCommand(cli))
    .addCommand(keysCommand(cli))
    .addCommand(secretsCommand(cli))
    .addCommand(servicesCommand(cli))
    .addCommand(doctorCommand(cli))
    .addCommand(demoCommand(cli), { hidden: true });
  forEachCommand(program, (command) =>
    command
      .exitOverride()
      .configureOutput({ writeOut: (text) => out.write(text), writeErr: (text) => err.write(text) }),
  );
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help was asked for (0), or the words were wrong.
    return error.exitCode === 0 ? 0 : EXIT_USAGE;
  }
  return exitCode;
}

function forEachCommand(command: Command, visit: (command: Command) => void): void {
  visit(command);
  for (const child of command.commands) forEachCommand(child, visit);
}
