import { type Command, secret } from '#libs/templates';

/** The differences between MySQL and MariaDB. */
export interface MysqlTools {
  readonly template: string;
  readonly client: string;
  readonly dump: string;
  /** Options that write the position in the binary log into the dump, as a comment. */
  readonly dumpOptions: readonly string[];
  /** Matches that comment; captures the file and the offset. */
  readonly position: RegExp;
  /** Statement that prints the position of the open snapshot: file, then offset. */
  readonly snapshotPosition: string;
}

export const MARIADB_TOOLS: MysqlTools = {
  template: 'mariadb',
  client: 'mariadb',
  dump: 'mariadb-dump',
  dumpOptions: ['--master-data=2'],
  position: /CHANGE MASTER TO MASTER_LOG_FILE='([^']+)', MASTER_LOG_POS=(\d+);/,
  snapshotPosition: `select variable_value from information_schema.session_status
    where variable_name in ('BINLOG_SNAPSHOT_FILE', 'BINLOG_SNAPSHOT_POSITION') order by variable_name;`,
};

export const MYSQL_TOOLS: MysqlTools = {
  template: 'mysql',
  client: 'mysql',
  dump: 'mysqldump',
  dumpOptions: ['--source-data=2', '--set-gtid-purged=OFF', '--no-tablespaces'],
  position: /CHANGE REPLICATION SOURCE TO SOURCE_LOG_FILE='([^']+)', SOURCE_LOG_POS=(\d+);/,
  // Nobody can write at that time, so the position of the snapshot is the current one.
  snapshotPosition: 'show binary log status;',
};

/** The server's own schemas, as a list for `in` in a statement. */
export const SYSTEM_SCHEMAS = "('mysql', 'information_schema', 'performance_schema', 'sys')";

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

const WHAT = ['--single-transaction', '--quick', '--routines', '--triggers', '--events', '--hex-blob'];

export function dumpOf({ dump, dumpOptions }: MysqlTools, database: string): Command {
  return asRoot(dump, [...WHAT, ...dumpOptions, database]);
}

/** A dump of several schemas, including the statements that create them. @param packet maximum packet size in bytes */
export function dumpOfSchemas({ dump, dumpOptions }: MysqlTools, schemas: readonly string[], packet: number): Command {
  const options = [...WHAT, ...dumpOptions, `--max-allowed-packet=${packet}`];
  return asRoot(dump, [...options, '--databases', '--', ...schemas]);
}

/** Dumps definitions only: of the given views, or, when `views` is null, of all routines, events and triggers. */
export function definitionsOf(tools: MysqlTools, database: string, views: readonly string[] | null): Command {
  const plain = tools.template === 'mysql' ? ['--set-gtid-purged=OFF', '--no-tablespaces'] : [];
  const what =
    views === null
      ? ['--no-create-info', '--no-data', '--routines', '--events', '--triggers', database]
      : ['--no-data', '--skip-triggers', database, ...views];
  return asRoot(tools.dump, [...plain, ...what]);
}

export function quoted(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}
