import type { Command } from '#libs/templates';
import { MARIADB_TOOLS, MYSQL_TOOLS, type MysqlTools } from '../../methods/mysql/mysql-tools.js';

/** The differences between the binary logs of MySQL and MariaDB. */
export interface BinlogTools extends MysqlTools {
  /** Command that turns a binary log into statements which the executing server does not log itself. */
  readonly reader: readonly string[];
  /** Statement that prints the file being written, and its length. */
  readonly status: string;
  /** Statements that block changes of definitions, but not of rows, until the session ends. */
  readonly holdDefinitions: string;
  /** Whether `holdDefinitions` also keeps the rows of non-transactional tables unchanged. */
  readonly holdsOtherEngines: boolean;
  /** Prints the names of the settings by which the server writes a log that the panel cannot read. */
  readonly unreadable: string;
  /** The server's default, which is set again after a recovery. */
  readonly eventScheduler: 'on' | 'off';
}

export const MARIADB_BINLOG: BinlogTools = {
  ...MARIADB_TOOLS,
  reader: ['mariadb-binlog', '--no-defaults', '--disable-log-bin', '-'],
  status: 'show binlog status;',
  holdDefinitions: 'backup stage start; backup stage block_ddl;',
  holdsOtherEngines: true,
  unreadable: "select 'encrypt_binlog' from dual where @@encrypt_binlog;",
  eventScheduler: 'off',
};

export const MYSQL_BINLOG: BinlogTools = {
  ...MYSQL_TOOLS,
  // With GTIDs the server would silently skip transactions that it has executed before.
  reader: ['mysqlbinlog', '--no-defaults', '--disable-log-bin', '--skip-gtids', '-'],
  status: 'show binary log status;',
  holdDefinitions: 'lock instance for backup;',
  holdsOtherEngines: false,
  unreadable: `select 'binlog_encryption' from dual where @@global.binlog_encryption union all
    select 'binlog_transaction_compression' from dual where @@global.binlog_transaction_compression;`,
  eventScheduler: 'on',
};

const DONE = 'PANEL_DONE';

/**
 * A command that plays the binary log on its stdin. It succeeds only if the client prints the word `done` at the end.
 * The client ends at the first error, and the word is sent to it only after the reader has read the log to its end.
 */
export function replayOf({ reader }: BinlogTools, client: Command, done: string): Command {
  const script = `[ "$( { ${reader.join(' ')} && printf "\\nselect '%s';\\n" "$${DONE}"; } | "$@" | tail -n 1)" = "$${DONE}" ]`;
  return {
    command: ['sh', '-c', script, 'sh', ...client.command],
    environment: { ...client.environment, [DONE]: done },
  };
}
