import { Command, CommanderError } from 'commander';
import { EXIT_USAGE } from './command-line.js';
import { GROUPS, type LoadGroup } from './groups.js';
import { printError } from './output.js';
import type { Terminal } from './terminal.js';

/** Runs one command line. Exit codes: 0 done, 1 refused or failed, 2 wrong usage. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  const { out, err } = terminal;
  let exitCode = 0;
  const program = new Command('cli').description('Tenantry, for staff').showHelpAfterError();
  for (const [load, hidden] of wanted(args[0])) {
    program.addCommand(await load(terminal, (code) => (exitCode = code)), { hidden });
  }
  const asJson = args.includes('--json');
  const writeErr = (text: string) => void (asJson || err.write(text));
  forEachCommand(program, (command) =>
    command.exitOverride().configureOutput({ writeOut: (text) => out.write(text), writeErr }),
  );
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help was asked for (0), or the words were wrong.
    if (error.exitCode === 0) return 0;
    if (asJson) printError({ code: 'wrong-usage', message: toldBy(error) }, out);
    return EXIT_USAGE;
  }
  return exitCode;
}

/** Where a command is missing, commander prints the help of its group and tells nothing else. */
function toldBy({ code, message }: CommanderError): string {
  return code === 'commander.help' ? 'A command is missing: --help lists them.' : message.replace(/^error: /, '');
}

/** The group that the first word names; all of them for help, and for the list of what the word could have been. */
function wanted(name: string | undefined): (readonly [load: LoadGroup, hidden: boolean])[] {
  const groups = Object.entries(GROUPS);
  const named = groups.filter(([known]) => known === name);
  return (named.length > 0 ? named : groups).map(([known, load]) => [load, known === 'demo']);
}

function forEachCommand(command: Command, visit: (command: Command) => void): void {
  visit(command);
  for (const child of command.commands) forEachCommand(child, visit);
}
