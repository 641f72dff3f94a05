import { pipeline, type Readable } from 'node:stream';
import { BackupFailed } from '../../../domain/backup-errors.js';
import { type Inventory, inventoryDefect, sequencesAtRest } from '../../../domain/inventory.js';
import type { DatabasePrograms } from '../../programs/database-programs.js';
import type { DatabaseTarget } from '../../programs/database-target.js';
import { whileThereIsRoom } from '../../programs/disk-room.js';
import { programFailure } from '../../programs/program-failure.js';
import type { ClientSession } from '../../programs/session.js';
import { CONTENTS_MAX_BYTES, type DatabaseMethod, type RunningDump } from '../database-method.js';
import { DumpWatch } from './dump-watch.js';
import { RESTORING } from './begun-swap.js';
import {
  bytesOf,
  columnsOf,
  type CoveredTable,
  objectsOf,
  parseColumns,
  parseObjects,
  parseRows,
  parseTables,
  rowsOf,
  tablesOf,
} from './inventory-sql.js';
import { leftOutOf } from './left-out.js';
import { clientOf, DATA, dumpOf, type LeftOut, loaderOf, type MysqlTools, SYSTEM_SCHEMAS } from './mysql-tools.js';
import { withLargeRows } from './large-rows.js';
import { SchemaSwap } from './schema-swap.js';
import { dropPlaceholders, makePlaceholders, sequenceNames, sequencesOf } from './sequences.js';

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
  // Events that come with the data must not begin to change them.
  readonly trialArguments = ['--skip-log-bin', '--innodb-flush-log-at-trx-commit=0', '--event-scheduler=OFF'];
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
      const leftOut = await leftOutOf([database], ask);
      const covered = parseTables(await ask(tablesOf(database)));
      const tables = leftOut.history ? covered.map((table) => ({ ...table, hasHistory: false })) : covered;
      const named = await sequenceNames(database, ask);
      const sequences = await sequencesOf(database, named, ask);
      const notes = notesOf(others, objects, tables.length, leftOut);
      const { data, isSame } = await this.begin(target, session, position, leftOut, signal);
      return {
        data,
        details: async () => {
          assertUnchanged(objects, parseObjects(await ask(objectsOf(database))));
          const rows = (await isSame()) ? await this.rowsOf(ask, database, tables) : { rows: null };
          const atRest = sequencesAtRest(sequences, await sequencesOf(database, named, ask));
          const inventory = { objects, ...rows, sequences: atRest, sequenceNames: named };
          return { inventory, databaseVersion, notes };
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
      const found = await withLargeRows(this.askOf(target, signal), () =>
        whileThereIsRoom(this.programs, target, DATA, signal, (until) => this.load(target, data, expected, until)),
      );
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

  async tidy(target: DatabaseTarget, signal: AbortSignal): Promise<void> {
    await this.#swap.tidy(target, signal);
    await dropPlaceholders(target.input.database, this.askOf(target, signal));
  }

  /** Restores into a schema with another name. @returns what it holds then */
  private async load(target: DatabaseTarget, data: Readable, expected: Inventory, signal: AbortSignal) {
    await this.#swap.prepare(target, signal);
    const ask = this.askOf(target, signal);
    await makePlaceholders(target.input.database, expected.sequenceNames ?? [], ask);
    await this.programs.feed(target, loaderOf(this.tools, RESTORING), data, signal);
    return this.count(target, expected, signal);
  }

  private askOf(target: DatabaseTarget, signal: AbortSignal): Ask {
    return async (sql) => (await this.programs.text(target, clientOf(this.tools), signal, sql)).split('\n');
  }

  /** Starts the dump, and unblocks writers as soon as its position is known, which is in its first lines. */
  private async begin(
    target: DatabaseTarget,
    session: ClientSession,
    position: string,
    leftOut: LeftOut,
    signal: AbortSignal,
  ) {
    let positionFound: (position: string | null) => void = () => undefined;
    const ofDump = new Promise<string | null>((resolve) => (positionFound = resolve));
    const output = await this.programs.output(target, dumpOf(this.tools, target.input.database, leftOut), signal);
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

  private async rowsOf(ask: Ask, schema: string, tables: readonly CoveredTable[], withContents: boolean | null = null) {
    const isSmall = withContents ?? Number((await ask(bytesOf(schema)))[0]) <= CONTENTS_MAX_BYTES;
    const columns = isSmall ? parseColumns(await ask(columnsOf(schema))) : null;
    return parseRows(await ask(rowsOf(schema, tables, columns)), tables);
  }

  private async count(target: DatabaseTarget, expected: Inventory, signal: AbortSignal): Promise<Inventory> {
    const ask = this.askOf(target, signal);
    const objects = parseObjects(await ask(objectsOf(RESTORING)));
    const sequences = await sequencesOf(RESTORING, await sequenceNames(RESTORING, ask), ask);
    if (expected.rows === null) return { objects, rows: null, sequences };
    const tables = parseTables(await ask(tablesOf(RESTORING)));
    return { objects, ...(await this.rowsOf(ask, RESTORING, tables, Boolean(expected.contents))), sequences };
  }
}

/** The tool takes definitions one after the other, and not as they were when it began. @throws BackupFailed */
function assertUnchanged(before: Inventory['objects'], after: Inventory['objects']): void {
  const kinds = new Set([...Object.keys(before), ...Object.keys(after)]);
  for (const kind of kinds)
    if (before[kind] !== after[kind])
      throw new BackupFailed(
        `Definitions were changed while the backup was made: ${before[kind] ?? 0} objects of the kind ${kind} became ${after[kind] ?? 0}.`,
      );
}

function notesOf(
  others: readonly string[],
  objects: Inventory['objects'],
  covered: number,
  leftOut: LeftOut,
): string[] {
  const notes: string[] = [];
  if (leftOut.views.length > 0)
    notes.push(`These views refer to something that is gone, and are not in this backup: ${leftOut.views.join(', ')}.`);
  if (leftOut.history)
    notes.push(
      'The earlier rows of versioned tables are not in this backup, because the history of one is by transactions.',
    );
  if (others.length > 0)
    notes.push(`The server has other databases, which are not in this backup: ${others.join(', ')}.`);
  const outside = (objects['table'] ?? 0) - covered;
  if (outside > 0)
    notes.push(`${outside} tables have another engine than InnoDB: the dump may hold them at different moments.`);
  return notes;
}
