import type { Command } from 'commander';
import type { StaffSettings } from './cli.config.js';
import { CommandLine } from './command-line.js';
import type { Side } from './sides/side.js';
import type { Terminal } from './terminal.js';

type Exit = (code: number) => void;

/** Loads the code of a group of commands together with its side of the product. */
export type LoadGroup = (terminal: Terminal, exit: Exit) => Promise<Command>;

const none = async () => (await import('./sides/no-side.js')).noSide;
const partner = async () => (await import('./sides/partner-side.js')).partnerSide;
const panel = async () => (await import('./sides/panel-side.js')).panelSide;
const both = async () => (await import('./sides/both-sides.js')).bothSides;

/** By the first word of a command line, in the order of the help. */
export const GROUPS: Readonly<Record<string, LoadGroup>> = {
  migrate: on(none, async () => (await import('./commands/migrate.command.js')).migrateCommand),
  partners: on(partner, async () => (await import('./commands/partners.command.js')).partnersCommand),
  contracts: on(partner, async () => (await import('./commands/contracts.command.js')).contractsCommand),
  tokens: on(partner, async () => (await import('./commands/tokens.command.js')).tokensCommand),
  usage: on(partner, async () => (await import('./commands/usage.command.js')).usageCommand),
  statements: on(partner, async () => (await import('./commands/statements.command.js')).statementsCommand),
  ledger: on(partner, async () => (await import('./commands/ledger.command.js')).ledgerCommand),
  import: on(partner, async () => (await import('./commands/import.command.js')).importCommand),
  users: on(panel, async () => (await import('./commands/users.command.js')).usersCommand),
  orgs: on(panel, async () => (await import('./commands/orgs.command.js')).orgsCommand),
  members: on(panel, async () => (await import('./commands/members.command.js')).membersCommand),
  keys: on(panel, async () => (await import('./commands/keys.command.js')).keysCommand),
  secrets: on(both, async () => (await import('./commands/secrets.command.js')).secretsCommand),
  services: on(panel, async () => (await import('./commands/services.command.js')).servicesCommand),
  doctor: on(both, async () => (await import('./commands/doctor.command.js')).doctorCommand),
  demo: on(both, async () => (await import('./commands/demo.command.js')).demoCommand),
};

function on<S extends StaffSettings>(
  side: () => Promise<Side<S>>,
  group: () => Promise<(cli: CommandLine<S>, terminal: Terminal) => Command>,
): LoadGroup {
  return async (terminal, exit) => {
    const [loaded, make] = await Promise.all([side(), group()]);
    return make(new CommandLine(loaded, terminal, exit), terminal);
  };
}
