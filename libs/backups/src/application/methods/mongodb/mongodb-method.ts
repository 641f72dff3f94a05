import { pipeline, type Readable } from 'node:stream';
import { BackupFailed } from '../../../domain/backup-errors.js';
import { type Inventory, inventoryDefect, totalRows } from '../../../domain/inventory.js';
import type { DatabasePrograms } from '../../programs/database-programs.js';
import type { DatabaseTarget } from '../../programs/database-target.js';
import { whileThereIsRoom } from '../../programs/disk-room.js';
import type { DatabaseMethod, DumpDetails, RunningDump } from '../database-method.js';
import { ArchiveHead } from './archive-head.js';
import { canMove, dataOf, factsOf, objectsOf } from './collection-facts.js';
import { DumpLog } from './dump-log.js';
import { dumpOf, mongosh, restoreOf } from './mongo-tools.js';
import { assertRestored } from './restore-summary.js';
import * as scripts from './scripts.js';
import { versionRefusal } from './version-refusal.js';

/** Where the image keeps all data. */
const DATA = '/data/db';
/** A collection that the template's entrypoint creates, so that the database exists. */
const MARKER = 'panel_created';
const NOT_ONE_MOMENT =
  'Collections are dumped one after the other: what was written meanwhile may be in one and missing in another.';
const NO_FIGURES =
  'mongodump did not tell the documents of each collection, so the verification compares collections and indexes alone.';
const CANNOT_MOVE =
  'MongoDB can rename neither time series nor stored functions, so such a database is restored into a new service only.';

/**
 * MongoDB: an archive of `mongodump`, which lists its own contents. A restore loads the collections under other names,
 * compares them with the archive, and then renames them.
 */
export class MongodbMethod implements DatabaseMethod {
  readonly kind = 'dump';
  readonly templates = ['mongodb'];
  readonly trialArguments = ['--setParameter', 'ttlMonitorEnabled=false'];
  readonly livesInMemory = false;
  readonly refusesVersion = versionRefusal;
  readonly refusesSame = (dumped: Inventory) => (canMove(dumped) ? null : CANNOT_MOVE);

  constructor(private readonly programs: DatabasePrograms) {}

  async dump(target: DatabaseTarget, signal: AbortSignal): Promise<RunningDump> {
    const { version, databases, users, roles } = parsed<Look>(await this.ask(target, scripts.LOOK, signal));
    const log = new DumpLog();
    const head = new ArchiveHead();
    const output = await this.programs.output(target, dumpOf(target), signal, (chunk) => log.add(chunk));
    head.on('error', nothing);
    const others = databases.filter((name) => !['admin', 'config', 'local', target.input.database].includes(name));
    const notes = [
      NOT_ONE_MOMENT,
      ...missing('databases', others),
      ...missing('users and roles', [...users, ...roles]),
    ];
    return {
      data: pipeline(output, head, nothing),
      details: () => Promise.resolve(detailsOf(target, head, log, version, notes)),
      close: () => Promise.resolve(),
    };
  }

  async restore(target: DatabaseTarget, data: Readable, expected: Inventory, signal: AbortSignal): Promise<Inventory> {
    try {
      await this.tidy(target, signal);
      const prefix = await this.placeFor(target, expected, signal);
      const [begin, end] =
        prefix === '' ? [scripts.BEGIN_IN_PLACE, scripts.END_IN_PLACE] : [scripts.BEGIN_BESIDE, scripts.EXCHANGE];
      await this.ask(target, begin, signal);
      const found = await whileThereIsRoom(this.programs, target, DATA, signal, async (until) => {
        const said = await this.programs.feed(target, restoreOf(target, prefix), data, until);
        assertRestored(said, totalRows(expected));
        return this.count(target, prefix, expected, until);
      });
      const defect = inventoryDefect(expected, found);
      if (defect) throw new BackupFailed(defect);
      await this.ask(target, end, signal);
      return found;
    } catch (error) {
      data.destroy();
      await this.tidy(target, signal).catch(nothing);
      throw error;
    }
  }

  async tidy(target: DatabaseTarget, signal: AbortSignal): Promise<void> {
    await this.ask(target, scripts.TIDY, signal);
  }

  /**
   * @returns the prefix of the restored collections' temporary names; empty when they are restored in place
   * @throws BackupFailed when they would have to be restored in place, but the database contains data
   */
  private async placeFor(target: DatabaseTarget, expected: Inventory, signal: AbortSignal): Promise<string> {
    const there = parsed<readonly Named[]>(await this.ask(target, scripts.NAMES, signal));
    const isFixed = there.some(({ name, type }) => type === 'timeseries' || name === 'system.js');
    if (canMove(expected) && !isFixed) return scripts.RESTORING;
    if (there.some(({ name }) => name !== MARKER)) throw new BackupFailed(CANNOT_MOVE);
    return '';
  }

  private async count(target: DatabaseTarget, prefix: string, { rows }: Inventory, signal: AbortSignal) {
    const said = await this.ask(target, scripts.COUNT, signal, { PANEL_PREFIX: prefix });
    const counted = parsed<readonly Counted[]>(said).map(({ name, documents, ...definition }) => {
      const facts = factsOf(name, definition);
      if (!facts) throw new BackupFailed(`The server does not say what ${name} is.`);
      return { facts, documents };
    });
    const found = counted
      .filter(({ facts }) => facts.kind !== 'view')
      .map(({ facts, documents }) => [dataOf(facts), documents] as const);
    return { objects: objectsOf(counted.map(({ facts }) => facts)), rows: rows && Object.fromEntries(found) };
  }

  private ask(target: DatabaseTarget, script: string, signal: AbortSignal, given: Record<string, string> = {}) {
    return this.programs.text(target, mongosh(target, script, given), signal);
  }
}

interface Look {
  readonly version: string;
  readonly databases: readonly string[];
  readonly users: readonly string[];
  readonly roles: readonly string[];
}

interface Named {
  readonly name: string;
  readonly type: string;
}

interface Counted {
  readonly name: string;
  readonly options: object;
  readonly indexes: readonly object[];
  readonly documents: number;
}

function detailsOf(
  { input }: DatabaseTarget,
  { collections }: ArchiveHead,
  log: DumpLog,
  databaseVersion: string,
  notes: readonly string[],
): DumpDetails {
  if (!collections) throw new BackupFailed('The archive does not say what its collections are.');
  const rows = log.documentsOf(input.database, collections);
  return {
    inventory: { objects: objectsOf(collections), rows },
    databaseVersion,
    notes: rows ? notes : [...notes, NO_FIGURES],
  };
}

/** The answer of a script: the last line of its output, as JSON. @throws BackupFailed when it is not JSON */
function parsed<T>(said: string): T {
  try {
    return JSON.parse(said.trim().split('\n').at(-1) ?? '') as T;
  } catch (error) {
    throw new BackupFailed('mongosh gave an unexpected answer.', { cause: error });
  }
}

function missing(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [`The server has other ${what}, which are not in this backup: ${[...new Set(names)].sort().join(', ')}.`];
}

function nothing(): void {
  // The reader of the stream gets the error.
}
