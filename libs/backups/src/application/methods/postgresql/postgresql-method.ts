import type { Readable } from 'node:stream';
import { BackupFailed } from '../../../domain/backup-errors.js';
import { type DatabaseTraits, type Inventory, inventoryDefect, sequencesAtRest } from '../../../domain/inventory.js';
import type { DatabasePrograms } from '../../programs/database-programs.js';
import type { DatabaseTarget } from '../../programs/database-target.js';
import { whileThereIsRoom } from '../../programs/disk-room.js';
import { programFailure } from '../../programs/program-failure.js';
import { CONTENTS_MAX_BYTES, type DatabaseMethod, type RunningDump } from '../database-method.js';
import { creationOf, holdsOf, inheritance, parseTraits, TRAITS } from './database-traits.js';
import { login, psql } from './psql.js';
import { DATA_BYTES, inventorySql, LOCK_TABLES, parseInventory, parseSequences, SEQUENCES } from './inventory-sql.js';

/** Application name of the connections, by which those left over from an earlier dump are found. */
const APPLICATION = 'panel-backup';
/** The database for maintenance commands: it always exists and is never replaced. */
const MAINTENANCE = 'template1';
/** How long others may hold a table before the backup gives up. */
const LOCK_WAIT_SECONDS = 120;
/** Tables are held already when the tool asks: it waits only behind somebody who waits for the backup. */
const OTHERS_LOCK_WAIT_SECONDS = 20;
/** Where the image keeps all data and the log. */
const DATA = '/var/lib/postgresql/data';
const RESTORING = 'panel_restoring';
const REPLACED = 'panel_replaced';

/** Ends other sessions of a dump, also those that a dead worker left behind. */
const END_OTHERS = `select pg_terminate_backend(pid) from pg_stat_activity
  where application_name = '${APPLICATION}' and pid <> pg_backend_pid();`;

/**
 * PostgreSQL: `pg_dump` in the custom format, from a snapshot that a second session exports and counts rows in. A dump
 * is restored into a database with another name and compared; then the two databases are renamed.
 */
export class PostgresqlMethod implements DatabaseMethod {
  readonly kind = 'dump';
  readonly templates = ['postgresql'];
  readonly trialArguments = ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'archive_mode=off'];
  readonly livesInMemory = false;

  constructor(private readonly programs: DatabasePrograms) {}

  async dump(target: DatabaseTarget, signal: AbortSignal): Promise<RunningDump> {
    const { database: name, user } = target.input;
    const session = await this.programs.session(
      target,
      psql(target, name, APPLICATION),
      (word) => `\\echo ${word}`,
      signal,
    );
    const ask = (commands: string) => session.ask(commands, (end) => programFailure('psql', end, target.secrets));
    try {
      await ask(END_OTHERS);
      const [databaseVersion = ''] = await ask('show server_version;');
      const others = await ask(`select to_json(datname) from pg_database
        where not datistemplate and datname not in ('postgres', current_database()) order by datname;`);
      const database = parseTraits(await ask(TRAITS));
      const roles = await ask(`select to_json(rolname) from pg_roles
        where rolname !~ '^pg_' and rolname <> current_user order by rolname;`);
      const [snapshot = ''] = await ask(
        'begin isolation level repeatable read, read only;\nselect pg_export_snapshot();',
      );
      if (!/^[0-9A-F-]+$/.test(snapshot)) throw new BackupFailed('The database gave no snapshot.');
      await ask(`set lock_timeout = '${LOCK_WAIT_SECONDS}s';\n${LOCK_TABLES}\nset lock_timeout = 0;`);
      const sequences = parseSequences(await ask(SEQUENCES));
      const argv = [
        'pg_dump',
        '-h',
        '127.0.0.1',
        '-U',
        user,
        '-Fc',
        `--snapshot=${snapshot}`,
        `--lock-wait-timeout=${OTHERS_LOCK_WAIT_SECONDS}s`,
      ];
      const command = { command: [...argv, name], environment: login(APPLICATION) };
      const data = await this.programs.output(target, command, signal);
      let isCounting = true;
      // While the dump is written: both read the same snapshot. `details` reports a failure.
      const counted = this.count(ask).finally(() => (isCounting = false));
      counted.catch(() => undefined);
      return {
        data,
        details: async () => {
          const inventory = await counted;
          const now = parseSequences(await ask(SEQUENCES));
          return {
            inventory: { ...inventory, sequences: sequencesAtRest(sequences, now), database },
            databaseVersion,
            notes: notesOf(namesIn(others), namesIn(roles), database),
          };
        },
        close: async () => {
          // The dump has failed, and counting a large database would take long.
          if (isCounting) await this.script(target, END_OTHERS, signal).catch(() => undefined);
          await session.close();
        },
      };
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  async restore(target: DatabaseTarget, data: Readable, expected: Inventory, signal: AbortSignal): Promise<Inventory> {
    try {
      await this.tidy(target, signal);
      const holds = (await this.script(target, holdsOf(target.input.database), signal)).trim();
      if (holds !== '')
        throw new BackupFailed(`The database cannot be replaced while it has ${holds.replaceAll('\n', ' and ')}.`);
      const found = await whileThereIsRoom(this.programs, target, DATA, signal, (until) =>
        this.load(target, data, expected, until),
      );
      const defect = inventoryDefect(expected, found);
      if (defect) throw new BackupFailed(defect);
      await this.swap(target, expected.database, signal);
      return found;
    } catch (error) {
      data.destroy();
      await this.tidy(target, signal).catch(() => undefined);
      throw error;
    }
  }

  async tidy(target: DatabaseTarget, signal: AbortSignal): Promise<void> {
    const { database } = target.input;
    await this.script(
      target,
      `select format('alter database %I allow_connections true', datname) from pg_database
        where datname = '${database}' and not datallowconn \\gexec
       drop database if exists ${RESTORING} with (force);
       drop database if exists ${REPLACED} with (force);`,
      signal,
    );
  }

  /** Restores into a database with another name. @returns what it holds then */
  private async load(target: DatabaseTarget, data: Readable, expected: Inventory, signal: AbortSignal) {
    await this.script(target, creationOf(RESTORING, expected.database), signal);
    const argv = [
      'pg_restore',
      '-h',
      '127.0.0.1',
      '-U',
      target.input.user,
      '-d',
      RESTORING,
      '--exit-on-error',
      '--no-tablespaces',
    ];
    // What was dumped before roles were told of could name some that are not here.
    const without = expected.database ? [] : ['--no-owner', '--no-acl'];
    await this.programs.feed(target, { command: [...argv, ...without], environment: login(APPLICATION) }, data, signal);
    const withContents = Boolean(expected.contents);
    const sql = `begin;\n${inventorySql(withContents)}\ncommit;\n`;
    const lines = await this.programs.text(target, psql(target, RESTORING, APPLICATION), signal, sql);
    return parseInventory(lines.split('\n'), withContents);
  }

  private async count(ask: (commands: string) => Promise<string[]>): Promise<Inventory> {
    const [bytes = ''] = await ask(DATA_BYTES);
    const withContents = Number(bytes) <= CONTENTS_MAX_BYTES;
    return parseInventory(await ask(inventorySql(withContents)), withContents);
  }

  /** Exchanges the databases. Connections are blocked meanwhile, and both are renamed in one transaction. */
  private async swap(target: DatabaseTarget, traits: DatabaseTraits | undefined, signal: AbortSignal): Promise<void> {
    const database = `"${target.input.database}"`;
    await this.script(
      target,
      `alter database ${database} allow_connections false;
       select pg_terminate_backend(pid) from pg_stat_activity where datname = '${target.input.database}';
       begin;
       ${inheritance(target.input.database, RESTORING, traits)}
       alter database ${database} rename to ${REPLACED};
       alter database ${RESTORING} rename to ${database};
       commit;
       alter database ${REPLACED} is_template false;
       drop database if exists ${REPLACED} with (force);`,
      signal,
    );
  }

  /** The client has the whole script before it begins, so it continues even if this worker dies. */
  private script(target: DatabaseTarget, text: string, signal: AbortSignal): Promise<string> {
    return this.programs.text(target, psql(target, MAINTENANCE, APPLICATION), signal, `${text}\n`);
  }
}

const namesIn = (lines: readonly string[]): string[] => lines.map((line) => String(JSON.parse(line)));

function notesOf(databases: readonly string[], roles: readonly string[], { roles: named }: DatabaseTraits): string[] {
  const note = (text: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${text}: ${names.join(', ')}.`];
  const known = named.map(({ name }) => name);
  const others = roles.filter((role) => !known.includes(role));
  return [
    ...note('The server has other databases, which are not in this backup', databases),
    ...note('In another server these roles are made again without a login', known),
    ...note('The server has other roles, which are not in this backup', others),
  ];
}
