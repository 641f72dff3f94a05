import { Command, CommanderError } from 'commander';
import { EXIT_USAGE } from './exit-codes.js';
import { GROUPS, type CommandGroup } from './groups.js';
import { printError } from './terminal/output.js';
import type { Terminal } from './terminal/terminal.js';

/** Runs one command line. Exit codes: 0 done, 1 refused or failed, 2 wrong usage. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  const { out, err } = terminal;
  let exitCode = 0;
  const program = new Command('cli').description('Tenantry staff commands').showHelpAfterError();
  const named = groupOf(args);
  if (named) program.addCommand(await loaded(named, terminal, (code) => (exitCode = code)));
  else for (const [name, { hidden }] of Object.entries(GROUPS)) program.addCommand(listed(name), { hidden });
  const asJson = args.includes('--json');
  const writeErr = (text: string) => void (asJson || err.write(text));
  forEachCommand(program, markRequired);
  forEachCommand(program, (command) =>
    command.exitOverride().configureOutput({ writeOut: (text) => out.write(text), writeErr }),
  );
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // 0: help was requested. Otherwise the command line was wrong.
    if (error.exitCode === 0) return 0;
    if (asJson) printError({ code: 'wrong-usage', message: toldBy(error) }, out);
    return EXIT_USAGE;
  }
  return exitCode;
}

/** Marks mandatory options in the help. */
function markRequired(command: Command): void {
  for (const option of command.options) if (option.mandatory) option.description += ' (required)';
}

/** Commander only prints the help if a command is missing, so this adds a message. */
function toldBy({ code, message }: CommanderError): string {
  return code === 'commander.help'
    ? 'A command is missing. --help lists the commands.'
    : message.replace(/^error: /, '');
}

function groupOf(args: readonly string[]): CommandGroup | undefined {
  const [first = '', second = ''] = args.filter((arg) => !arg.startsWith('-'));
  const word = first === 'help' ? second : first;
  return Object.hasOwn(GROUPS, word) ? GROUPS[word] : undefined;
}

async function loaded(group: CommandGroup, terminal: Terminal, exit: (code: number) => void): Promise<Command> {
  return (await group.load(terminal, exit)).description(group.description);
}

/** A group in the list of all groups, without its code: loading all of it takes more than a second. */
function listed(name: string): Command {
  const { description, takes } = GROUPS[name]!;
  const command = new Command(name).description(description);
  if (takes) command.option('--json');
  if (takes?.argument) command.argument(takes.argument);
  return command;
}

function forEachCommand(command: Command, visit: (command: Command) => void): void {
  visit(command);
  for (const child of command.commands) forEachCommand(child, visit);
}
