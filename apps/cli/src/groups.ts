import type { Command } from 'commander';
import type { StaffSettings } from './cli.config.js';
import type { CommandLine } from './command-line.js';
import type { Side } from './sides/side.js';
import type { Terminal } from './terminal/terminal.js';

type Exit = (code: number) => void;

/** Loads the commands of a group. Its side of the product is loaded once a command runs. */
export type LoadGroup = (terminal: Terminal, exit: Exit) => Promise<Command>;

/** A group of commands, named by the first word of the command line. Listing all groups loads no code of theirs. */
export interface CommandGroup {
  readonly description: string;
  /** The argument, if the word is a command of its own and not a group. */
  readonly takes?: { readonly argument?: string };
  /** Left out of the help. */
  readonly hidden?: true;
  readonly load: LoadGroup;
}

const none = async () => (await import('./sides/no-side.js')).noSide;
const partner = async () => (await import('./sides/partner-side.js')).partnerSide;
const panel = async () => (await import('./sides/panel-side.js')).panelSide;
const storage = async () => (await import('./sides/storage-side.js')).storageSide;
const backups = async () => (await import('./sides/backups-side.js')).backupsSide;
const model = async () => (await import('./sides/model-side.js')).modelSide;
const both = async () => (await import('./sides/both-sides.js')).bothSides;

/** The groups by name, in the order of the help. */
export const GROUPS: Readonly<Record<string, CommandGroup>> = {
  migrate: {
    description: 'database migrations',
    load: on(none, async () => (await import('./commands/instance/migrate.command.js')).migrateCommand),
  },
  partners: {
    description: 'the partner tree',
    load: on(partner, async () => (await import('./commands/partner/partners.command.js')).partnersCommand),
  },
  contracts: {
    description: 'contracts of partners',
    load: on(partner, async () => (await import('./commands/partner/contracts.command.js')).contractsCommand),
  },
  customers: {
    description: 'customers of partners',
    load: on(partner, async () => (await import('./commands/partner/customers.command.js')).customersCommand),
  },
  licenses: {
    description: 'licenses of partners',
    load: on(partner, async () => (await import('./commands/partner/licenses.command.js')).licensesCommand),
  },
  tokens: {
    description: 'API tokens of partners',
    load: on(partner, async () => (await import('./commands/partner/tokens.command.js')).tokensCommand),
  },
  usage: {
    description: 'usage and cost of the current months',
    load: on(partner, async () => (await import('./commands/partner/usage.command.js')).usageCommand),
  },
  statements: {
    description: 'monthly statements',
    load: on(partner, async () => (await import('./commands/partner/statements.command.js')).statementsCommand),
  },
  ledger: {
    description: 'the append-only ledger of licenses',
    load: on(partner, async () => (await import('./commands/partner/ledger.command.js')).ledgerCommand),
  },
  import: {
    description: 'import partners, contracts, customers, contacts and licenses with their history (JSON lines)',
    takes: { argument: '<file>' },
    load: on(partner, async () => (await import('./commands/partner/import.command.js')).importCommand),
  },
  users: {
    description: 'users of the panel',
    load: on(panel, async () => (await import('./commands/panel/users.command.js')).usersCommand),
  },
  orgs: {
    description: 'organisations that own services and customers',
    load: on(panel, async () => (await import('./commands/panel/orgs.command.js')).orgsCommand),
  },
  members: {
    description: 'members of organisations',
    load: on(panel, async () => (await import('./commands/panel/members.command.js')).membersCommand),
  },
  keys: {
    description: 'API keys of the panel',
    load: on(panel, async () => (await import('./commands/panel/keys.command.js')).keysCommand),
  },
  secrets: {
    description: 'encryption of stored secrets',
    load: on(both, async () => (await import('./commands/instance/secrets.command.js')).secretsCommand),
  },
  backups: {
    description: 'backups of services',
    load: on(backups, async () => (await import('./commands/panel/backups.command.js')).backupsCommand),
  },
  backup: {
    description: "back up the panel's own database and key ring",
    load: on(storage, async () => (await import('./commands/instance/backup-self.command.js')).backupCommand),
  },
  restore: {
    description: "restore the panel's own database and key ring",
    load: on(storage, async () => (await import('./commands/instance/restore-self.command.js')).restoreCommand),
  },
  services: {
    description: 'services on the Docker engine',
    load: on(panel, async () => (await import('./commands/panel/services.command.js')).servicesCommand),
  },
  ai: {
    description: 'the bundled local model',
    load: on(model, async () => (await import('./commands/panel/ai.command.js')).aiCommand),
  },
  doctor: {
    description: 'check everything that this installation needs and say how to fix it',
    takes: {},
    load: on(both, async () => (await import('./commands/instance/doctor.command.js')).doctorCommand),
  },
  demo: {
    description: 'create the demo data of `npm start`; not for production',
    takes: {},
    hidden: true,
    load: on(both, async () => (await import('./commands/instance/demo.command.js')).demoCommand),
  },
};

function on<S extends StaffSettings>(
  side: () => Promise<Side<S>>,
  group: () => Promise<(cli: CommandLine<S>, terminal: Terminal) => Command>,
): LoadGroup {
  return async (terminal, exit) => {
    const [make, { CommandLine }] = await Promise.all([group(), import('./command-line.js')]);
    return make(new CommandLine(side, terminal, exit), terminal);
  };
}
