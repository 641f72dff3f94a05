import type { Readable } from 'node:stream';
import { BackupFailed } from '../../../domain/backup-errors.js';
import { type Inventory, inventoryDefect } from '../../../domain/inventory.js';
import type { DatabasePrograms } from '../../programs/database-programs.js';
import type { DatabaseTarget } from '../../programs/database-target.js';
import { type QdrantApi, script } from './qdrant-api.js';
import * as scripts from './scripts.js';
import {
  ALIASES,
  aliasesIn,
  collectionsOf,
  contentObjects,
  contentsOf,
  creationOf,
  objectsOf,
  pointsOf,
  recoveryOf,
  removalOf,
  type SnapshotContents,
} from './storage.js';

const NEW = `${scripts.FOLDER}/restore`;
const OLD = `${scripts.FOLDER}/before`;

/**
 * Replaces the storage of a running server with a snapshot, collection by collection, because the server can neither
 * rename collections nor load another storage without a restart. The old storage is kept as a snapshot until the new
 * one is complete and counted. If anything fails before, the old storage is put back.
 */
export class StorageExchange {
  constructor(
    private readonly programs: DatabasePrograms,
    private readonly api: QdrantApi,
  ) {}

  async restore(target: DatabaseTarget, data: Readable, expected: Inventory, signal: AbortSignal): Promise<Inventory> {
    try {
      // The present data are the valid ones, so files of an earlier restore are removed.
      await this.run(target, scripts.CLEAR, signal);
      await this.programs.feed(target, script(scripts.TAKE_IN), data, signal);
      const contents = contentsOf(await this.run(target, scripts.CONTENTS_TAKEN_IN, signal));
      assertSame({ objects: expected.objects, rows: null }, { objects: contentObjects(contents), rows: null });
      if ((await collectionsOf(this.api, target, signal)).length > 0) await this.keepOld(target, signal);
      await this.replace(target, NEW, contents, signal);
      const found = await this.count(target, expected, signal);
      assertSame(expected, found);
      await this.run(target, scripts.CLEAR, signal);
      return found;
    } catch (error) {
      data.destroy();
      await this.tidy(target, signal).catch(() => undefined);
      throw error;
    }
  }

  /** Puts the old storage back if one is kept, and removes all files of a restore. */
  async tidy(target: DatabaseTarget, signal: AbortSignal): Promise<void> {
    const before = await this.run(target, scripts.CONTENTS_BEFORE, signal);
    if (before !== '') await this.replace(target, OLD, contentsOf(before), signal);
    await this.run(target, scripts.CLEAR, signal);
  }

  private async keepOld(target: DatabaseTarget, signal: AbortSignal): Promise<void> {
    await this.api.answers(target, scripts.TAKE_SNAPSHOT, signal);
    await this.run(target, scripts.KEEP_BEFORE, signal);
  }

  /** Sends one request at a time: if this worker dies, at most one is still running when the next worker starts. */
  private async replace(target: DatabaseTarget, folder: string, contents: SnapshotContents, signal: AbortSignal) {
    const { collections, aliases } = contents;
    const requests = [
      ...(await collectionsOf(this.api, target, signal)).map(removalOf),
      ...[...collections].map(([collection, file]) => recoveryOf(collection, folder, file)),
      ...(aliases.size > 0 ? [creationOf(aliases)] : []),
    ];
    for (const request of requests) await this.api.ask(target, [request], signal);
  }

  private async count(target: DatabaseTarget, expected: Inventory, signal: AbortSignal): Promise<Inventory> {
    const points = await pointsOf(this.api, target, signal);
    const [aliases] = await this.api.ask(target, [ALIASES], signal);
    const objects = objectsOf({ collections: Object.keys(points).length, aliases: aliasesIn(aliases) });
    return { objects, rows: expected.rows && points };
  }

  private run(target: DatabaseTarget, text: string, signal: AbortSignal): Promise<string> {
    return this.programs.text(target, script(text), signal);
  }
}

/** @throws BackupFailed */
function assertSame(expected: Inventory, found: Inventory): void {
  const defect = inventoryDefect(expected, found);
  if (defect) throw new BackupFailed(defect);
}
