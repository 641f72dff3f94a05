import { pipeline, type Readable } from 'node:stream';
import { BackupFailed } from '../../../domain/backup-errors.js';
import { type Inventory, inventoryDefect } from '../../../domain/inventory.js';
import type { DatabasePrograms } from '../../programs/database-programs.js';
import type { DatabaseTarget } from '../../programs/database-target.js';
import { programFailure } from '../../programs/program-failure.js';
import type { ClientSession } from '../../programs/session.js';
import { CONTENTS_MAX_BYTES, type DatabaseMethod, type RunningDump } from '../database-method.js';
import { DumpWatch } from './dump-watch.js';
import { RESTORING } from './begun-swap.js';
import {
  bytesOf,
  columnsOf,
  fromHex,
  objectsOf,
  parseColumns,
  parseObjects,
  parseRows,
  rowsOf,
  tablesOf,
} from './inventory-sql.js';
import { clientOf, dumpOf, type MysqlTools, SYSTEM_SCHEMAS } from './mysql-tools.js';
import { SchemaSwap } from './schema-swap.js';

const LOCK_WAIT_SECONDS = 10;

/** Runs statements in a client. @returns the lines that it prints */
type Ask = (sql: string) => Promise<string[]>;

/**
 * MySQL and MariaDB: a dump in one transaction. A second session opens the same snapshot to count rows in it; writers
 * are blocked from then until the dump has opened its own. The rows are compared only if both snapshots have the same
 * position in the binary log.
 */
export class MysqlMethod implements DatabaseMethod {
  readonly kind = 'dump';
  readonly templates: readonly string[];
  readonly trialArguments = ['--skip-log-bin', '--innodb-flush-log-at-trx-commit=0'];
  readonly livesInMemory = false;
  readonly #swap: SchemaSwap;

  constructor(
    private readonly programs: DatabasePrograms,
    private readonly tools: MysqlTools,
  ) {
    this.templates = [tools.template];
    this.#swap = new SchemaSwap(programs, tools);
  }

  async dump(target: DatabaseTarget, signal: AbortSignal): Promise<RunningDump> {
    const { database } = target.input;
    const command = clientOf(this.tools, '--unbuffered');
    const session = await this.programs.session(target, command, (word) => `select '${word}';`, signal);
    const ask: Ask = (sql) => session.ask(sql, (end) => programFailure(this.tools.client, end, target.secrets));
    try {
      const [databaseVersion = ''] = await ask('select version();');
      const others = await ask(`select schema_name from information_schema.schemata
        where schema_name not in ${SYSTEM_SCHEMAS} and schema_name not in ('${database}', '${RESTORING}', 'test') order by 1;`);
      await ask(`set session lock_wait_timeout = ${LOCK_WAIT_SECONDS}; set session wait_timeout = 604800;
        set session transaction isolation level repeatable read;
        flush tables with read lock; start transaction with consistent snapshot;`);
      const position = (await ask(this.tools.snapshotPosition)).join('\t').split('\t').slice(0, 2).join(':');
      const objects = parseObjects(await ask(objectsOf(database)));
      const tables = (await ask(tablesOf(database))).map(fromHex);
      const notes = notesOf(others, objects, tables.length);
      const { data, isSame } = await this.begin(target, session, position, signal);
      return {
        data,
        details: async () => {
          const rows = (await isSame()) ? await this.rowsOf(ask, database, tables) : { rows: null };
          return { inventory: { objects, ...rows }, databaseVersion, notes };
        },
        close: () => session.close(),
      };
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  async restore(target: DatabaseTarget, data: Readable, expected: Inventory, signal: AbortSignal): Promise<Inventory> {
    try {
      await this.tidy(target, signal);
      await this.#swap.prepare(target, signal);
      await this.programs.feed(target, clientOf(this.tools, RESTORING), data, signal);
      const found = await this.count(target, expected, signal);
      const defect = inventoryDefect(expected, found);
      if (defect) throw new BackupFailed(defect);
      await this.#swap.carryOut(target, signal);
      return found;
    } catch (error) {
      data.destroy();
      await this.tidy(target, signal).catch(() => undefined);
      throw error;
    }
  }

  tidy(target: DatabaseTarget, signal: AbortSignal): Promise<void> {
    return this.#swap.tidy(target, signal);
  }

  /** Starts the dump, and unblocks writers as soon as its position is known, which is in its first lines. */
  private async begin(target: DatabaseTarget, session: ClientSession, position: string, signal: AbortSignal) {
    let positionFound: (position: string | null) => void = () => undefined;
    const ofDump = new Promise<string | null>((resolve) => (positionFound = resolve));
    const output = await this.programs.output(target, dumpOf(this.tools, target.input.database), signal);
    const watch = new DumpWatch(this.tools.position, positionFound);
    watch.on('error', () => undefined);
    const data = pipeline(output, watch, () => undefined);
    const failed = (end: { exitCode: number; stderrTail: string }) =>
      programFailure(this.tools.client, end, target.secrets);
    const isSame = ofDump.then(async (found) => {
      await session.ask('unlock tables;', failed);
      return found === position;
    });
    isSame.catch(() => undefined);
    // `isSame` must not be awaited here: the position arrives only after somebody has begun to read the dump.
    return { data, isSame: () => isSame };
  }

  private async rowsOf(ask: Ask, schema: string, tables: readonly string[], withContents: boolean | null = null) {
    const isSmall = withContents ?? Number((await ask(bytesOf(schema)))[0]) <= CONTENTS_MAX_BYTES;
    const columns = isSmall ? parseColumns(await ask(columnsOf(schema))) : null;
    return parseRows(await ask(rowsOf(schema, tables, columns)), tables);
  }

  private async count(target: DatabaseTarget, expected: Inventory, signal: AbortSignal): Promise<Inventory> {
    const run: Ask = async (sql) =>
      (await this.programs.text(target, clientOf(this.tools), signal, sql)).split('\n').filter(Boolean);
    const objects = parseObjects(await run(objectsOf(RESTORING)));
    if (expected.rows === null) return { objects, rows: null };
    const tables = (await run(tablesOf(RESTORING))).map(fromHex);
    return { objects, ...(await this.rowsOf(run, RESTORING, tables, Boolean(expected.contents))) };
  }
}

function notesOf(others: readonly string[], objects: Inventory['objects'], covered: number): string[] {
  const notes: string[] = [];
  if (others.length > 0)
    notes.push(`The server has other databases, which are not in this backup: ${others.join(', ')}.`);
  const outside = (objects['table'] ?? 0) - covered;
  if (outside > 0)
    notes.push(`${outside} tables have another engine than InnoDB: the dump may hold them at different moments.`);
  return notes;
}
