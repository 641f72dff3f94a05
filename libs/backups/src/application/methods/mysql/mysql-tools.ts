import { type Command, secret } from '#libs/templates';

/** What differs between MySQL and MariaDB. */
export interface MysqlTools {
  readonly template: string;
  readonly client: string;
  readonly dump: string;
  /** Writes the position in the binary log into the dump, as a comment. */
  readonly dumpOptions: readonly string[];
  /** What that comment looks like. */
  readonly position: RegExp;
  /** Prints the position of the open snapshot: file, then offset. */
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
  // Asked while nobody can write: the snapshot's is the current one.
  snapshotPosition: 'show binary log status;',
};

const ROOT_PASSWORD = 'DB_ROOT_PASSWORD';

/** As root by the socket: who dumps with a position in the log needs more than the service's own user has. */
function asRoot(program: string, args: readonly string[]): Command {
  return {
    command: [program, '--no-defaults', '--protocol=socket', '-uroot', '--default-character-set=utf8mb4', ...args],
    environment: { MYSQL_PWD: [secret(ROOT_PASSWORD)] },
  };
}

/** @param more `--unbuffered` for a session; the database */
export function clientOf({ client }: MysqlTools, ...more: readonly string[]): Command {
  return asRoot(client, ['--batch', '--skip-column-names', ...more]);
}

const WHAT = ['--single-transaction', '--quick', '--routines', '--triggers', '--events', '--hex-blob'];

export function dumpOf({ dump, dumpOptions }: MysqlTools, database: string): Command {
  return asRoot(dump, [...WHAT, ...dumpOptions, database]);
}

/** With the statements that make the schemas. @param packet the largest row, in bytes */
export function dumpOfSchemas({ dump, dumpOptions }: MysqlTools, schemas: readonly string[], packet: number): Command {
  const options = [...WHAT, ...dumpOptions, `--max-allowed-packet=${packet}`];
  return asRoot(dump, [...options, '--databases', '--', ...schemas]);
}

/** Everything of a database but its tables: routines, events and triggers; or the views that are named. */
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
