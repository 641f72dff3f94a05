import { pipeline, type Readable } from 'node:stream';
import { BackupFailed } from '../../../domain/backup-errors.js';
import type { Inventory } from '../../../domain/inventory.js';
import type { DatabasePrograms } from '../../programs/database-programs.js';
import type { DatabaseTarget } from '../../programs/database-target.js';
import type { DatabaseMethod, RunningDump } from '../database-method.js';
import { ChecksumWatch } from './checksum-watch.js';
import { fields, QdrantApi, script } from './qdrant-api.js';
import * as scripts from './scripts.js';
import { contentObjects, contentsOf, type Points, pointsOf } from './storage.js';
import { StorageExchange } from './storage-exchange.js';
import { versionRefusal } from './version-refusal.js';

const TIDY_MS = 30_000;
const POINTS_CHANGED =
  'Points were written while the snapshot was taken, so the verification compares collections and not their points.';

/**
 * Qdrant: a snapshot of its whole storage, which the server makes. Points are counted before and after it. Only if both
 * counts are equal, they are also those of the snapshot.
 */
export class QdrantMethod implements DatabaseMethod {
  readonly kind = 'snapshot';
  readonly templates = ['qdrant'];
  readonly trialArguments = [];
  readonly livesInMemory = false;
  readonly refusesVersion = versionRefusal;
  readonly #api: QdrantApi;
  readonly #exchange: StorageExchange;

  constructor(private readonly programs: DatabasePrograms) {
    this.#api = new QdrantApi(programs);
    this.#exchange = new StorageExchange(programs, this.#api);
  }

  async dump(target: DatabaseTarget, signal: AbortSignal): Promise<RunningDump> {
    const drop = () => this.programs.text(target, script(scripts.DROP_SNAPSHOT), AbortSignal.timeout(TIDY_MS));
    const databaseVersion = await this.version(target, signal);
    const before = await pointsOf(this.#api, target, signal);
    try {
      const checksum = await this.takeSnapshot(target, signal);
      const after = await pointsOf(this.#api, target, signal);
      const contents = contentsOf(await this.programs.text(target, script(scripts.CONTENTS_OF_SNAPSHOT), signal));
      const rows = isSame(before, after, [...contents.collections.keys()]) ? before : null;
      const inventory = { objects: contentObjects(contents), rows };
      const notes = rows === null ? [POINTS_CHANGED] : [];
      const file = await this.programs.output(target, script(scripts.READ_SNAPSHOT), signal);
      return {
        data: pipeline(file, new ChecksumWatch(checksum), nothing),
        details: () => Promise.resolve({ inventory, databaseVersion, notes }),
        close: () => drop().then(nothing, nothing),
      };
    } catch (error) {
      await drop().catch(nothing);
      throw error;
    }
  }

  restore(target: DatabaseTarget, data: Readable, expected: Inventory, signal: AbortSignal): Promise<Inventory> {
    return this.#exchange.restore(target, data, expected, signal);
  }

  tidy(target: DatabaseTarget, signal: AbortSignal): Promise<void> {
    return this.#exchange.tidy(target, signal);
  }

  private async version(target: DatabaseTarget, signal: AbortSignal): Promise<string> {
    const [server] = await this.#api.answers(target, scripts.ASK_VERSION, signal);
    if (typeof server?.version !== 'string') throw new BackupFailed('Qdrant does not say its version.');
    return server.version;
  }

  /** @returns the checksum of the file, as reported by the server */
  private async takeSnapshot(target: DatabaseTarget, signal: AbortSignal): Promise<string> {
    const [made] = await this.#api.answers(target, scripts.TAKE_SNAPSHOT, signal);
    const { checksum } = fields(made?.result);
    if (typeof checksum !== 'string') throw new BackupFailed('Qdrant gave no checksum of its snapshot.');
    return checksum;
  }
}

/** Whether both counts agree and cover exactly the collections of the snapshot. */
function isSame(before: Points, after: Points, inSnapshot: readonly string[]): boolean {
  const names = new Set([...Object.keys(before), ...Object.keys(after), ...inSnapshot]);
  return (
    names.size === inSnapshot.length &&
    [...names].every((name) => before[name] !== undefined && before[name] === after[name])
  );
}

function nothing(): void {
  // Nothing can be done about a failure: the next backup replaces the file.
}
