import { type Command, secret } from '#libs/templates';

/** The differences between MySQL and MariaDB. */
export interface MysqlTools {
  readonly template: string;
  readonly client: string;
  readonly dump: string;
  /** Options that write the position in the binary log into the dump, as a comment. */
  readonly dumpOptions: readonly string[];
  /** Options that write the earlier rows of versioned tables, too. */
  readonly historyOptions: readonly string[];
  /** Matches the comment with the position; captures the file and the offset. */
  readonly position: RegExp;
  /** Statement that prints the position of the open snapshot: file, then offset. */
  readonly snapshotPosition: string;
}

export const MARIADB_TOOLS: MysqlTools = {
  template: 'mariadb',
  client: 'mariadb',
  dump: 'mariadb-dump',
  // Otherwise a table is one transaction when it is loaded, which the server writes to its log at once, whatever its size.
  dumpOptions: ['--master-data=2', '--skip-no-autocommit'],
  historyOptions: ['--dump-history'],
  position: /CHANGE MASTER TO MASTER_LOG_FILE='([^']+)', MASTER_LOG_POS=(\d+);/,
  snapshotPosition: `select variable_value from information_schema.session_status
    where variable_name in ('BINLOG_SNAPSHOT_FILE', 'BINLOG_SNAPSHOT_POSITION') order by variable_name;`,
};

export const MYSQL_TOOLS: MysqlTools = {
  template: 'mysql',
  client: 'mysql',
  dump: 'mysqldump',
  dumpOptions: ['--source-data=2', '--set-gtid-purged=OFF', '--no-tablespaces'],
  historyOptions: [],
  position: /CHANGE REPLICATION SOURCE TO SOURCE_LOG_FILE='([^']+)', SOURCE_LOG_POS=(\d+);/,
  // Nobody can write at that time, so the position of the snapshot is the current one.
  snapshotPosition: 'show binary log status;',
};

/** The server's own schemas, as a list for `in` in a statement. */
export const SYSTEM_SCHEMAS = "('mysql', 'information_schema', 'performance_schema', 'sys')";

/** Where the images keep all data and the binary log. */
export const DATA = '/var/lib/mysql';
const ROOT_PASSWORD = 'DB_ROOT_PASSWORD';

/** Connects as root via the socket: a dump with its log position needs privileges that the service's user lacks. */
function asRoot(program: string, args: readonly string[]): Command {
  return {
    command: [program, '--no-defaults', '--protocol=socket', '-uroot', '--default-character-set=utf8mb4', ...args],
    environment: { MYSQL_PWD: [secret(ROOT_PASSWORD)] },
  };
}

/** The command-line client. @param more further arguments, such as `--unbuffered` for a session or the database */
export function clientOf({ client }: MysqlTools, ...more: readonly string[]): Command {
  return asRoot(client, ['--batch', '--skip-column-names', ...more]);
}

const WHAT = [
  '--single-transaction',
  '--quick',
  '--routines',
  '--triggers',
  '--events',
  '--hex-blob',
  '--skip-add-locks',
];

/** The largest that both servers allow, for a row and for the statement with it, in which a byte takes two digits. */
export const MAX_PACKET_BYTES = 2 ** 30;
const LARGE_ROWS = `--max-allowed-packet=${MAX_PACKET_BYTES}`;

/** What the tool would stop at. */
export interface LeftOut {
  /** What versioned tables held earlier. */
  readonly history: boolean;
  /** Broken views, each with its schema before a dot. */
  readonly views: readonly string[];
}

export function dumpOf(tools: MysqlTools, database: string, leftOut: LeftOut): Command {
  return asRoot(tools.dump, [...dumpOptionsOf(tools, leftOut), database]);
}

/** A dump of several schemas, including the statements that create them. */
export function dumpOfSchemas(tools: MysqlTools, schemas: readonly string[], leftOut: LeftOut): Command {
  return asRoot(tools.dump, [...dumpOptionsOf(tools, leftOut), '--databases', '--', ...schemas]);
}

function dumpOptionsOf({ dumpOptions, historyOptions }: MysqlTools, { history, views }: LeftOut): string[] {
  return [...WHAT, ...dumpOptions, ...(history ? [] : historyOptions), LARGE_ROWS, ...without(views)];
}

/** Reads a dump as it is, with its line ends and large rows. */
export function loaderOf(tools: MysqlTools, ...more: readonly string[]): Command {
  return clientOf(tools, '--binary-mode', LARGE_ROWS, ...more);
}

/** Routines, events and triggers of a database. @param broken as in `LeftOut` */
export function definitionsOf(tools: MysqlTools, database: string, broken: readonly string[]): Command {
  const what = ['--no-create-info', '--no-data', '--routines', '--events', '--triggers'];
  return asRoot(tools.dump, [...plain(tools), ...what, ...without(broken), database]);
}

export function viewsOf(tools: MysqlTools, database: string, views: readonly string[]): Command {
  return asRoot(tools.dump, [...plain(tools), '--no-data', '--skip-triggers', database, ...views]);
}

const plain = ({ template }: MysqlTools) => (template === 'mysql' ? ['--set-gtid-purged=OFF', '--no-tablespaces'] : []);

const without = (views: readonly string[]) => views.map((name) => `--ignore-table=${name}`);

export function quoted(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

/** For a text between single quotes. */
export const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll("'", "''");

export const fromHex = (text: string): string => Buffer.from(text.trim(), 'hex').toString('utf8');
