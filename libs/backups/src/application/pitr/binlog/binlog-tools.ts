import type { Command } from '#libs/templates';
import { MARIADB_TOOLS, MYSQL_TOOLS, type MysqlTools } from '../../methods/mysql/mysql-tools.js';

/** What differs between the binary logs of MySQL and MariaDB. */
export interface BinlogTools extends MysqlTools {
  /** Turns a binary log into statements, without writing them into the log of the server that carries them out. */
  readonly reader: readonly string[];
  /** Prints the file that is being written, and its length. */
  readonly status: string;
  /** Nobody can change tables from then on, until the session ends; rows can be changed. */
  readonly holdDefinitions: string;
  /** Rows of tables without transactions stay as they are meanwhile, too. */
  readonly holdsOtherEngines: boolean;
  /** What the server starts with. */
  readonly eventScheduler: 'on' | 'off';
}

export const MARIADB_BINLOG: BinlogTools = {
  ...MARIADB_TOOLS,
  reader: ['mariadb-binlog', '--no-defaults', '--disable-log-bin', '-'],
  status: 'show binlog status;',
  holdDefinitions: 'backup stage start; backup stage block_ddl;',
  holdsOtherEngines: true,
  eventScheduler: 'off',
};

export const MYSQL_BINLOG: BinlogTools = {
  ...MYSQL_TOOLS,
  // With the numbers of the transactions a server would leave out those that it has seen, without a word.
  reader: ['mysqlbinlog', '--no-defaults', '--disable-log-bin', '--skip-gtids', '-'],
  status: 'show binary log status;',
  holdDefinitions: 'lock instance for backup;',
  holdsOtherEngines: false,
  eventScheduler: 'on',
};

/** The largest that both servers allow: a row in the log may be as large as a row can be. */
export const MAX_PACKET_BYTES = 2 ** 30;

const DONE = 'PANEL_DONE';

/**
 * Plays a binary log from its input. The client ends at the first error; it prints the word at the end only when the
 * reader came to the end of the log as well.
 */
export function replayOf({ reader }: BinlogTools, client: Command, done: string): Command {
  const script = `[ "$( { ${reader.join(' ')} && printf "\\nselect '%s';\\n" "$${DONE}"; } | "$@" | tail -n 1)" = "$${DONE}" ]`;
  return {
    command: ['sh', '-c', script, 'sh', ...client.command],
    environment: { ...client.environment, [DONE]: done },
  };
}
