import { setTimeout as sleep } from 'node:timers/promises';
import { BackupFailed, DiskNearlyFull } from '../../domain/backup-errors.js';
import { type DiskSpace, isNearlyFull } from '../../domain/disk-space.js';
import type { DatabasePrograms } from './database-programs.js';
import type { DatabaseTarget } from './database-target.js';

const POLL_MS = 200;

/**
 * Runs `work`, and aborts it before it fills the disk of the database: a server without room for its own log ends, or
 * keeps all of its clients waiting.
 * @param folder where the data are in the container
 * @throws DiskNearlyFull; whatever `work` throws
 */
export async function whileThereIsRoom<T>(
  programs: DatabasePrograms,
  target: DatabaseTarget,
  folder: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const shell = await programs.session(target, { command: ['sh'], environment: {} }, (word) => `echo ${word}`, signal);
  const full = new AbortController();
  const done = new AbortController();
  const look = async () => {
    const said = await shell.ask(`df -Pk ${folder}`, () => new BackupFailed('The database does not run.'));
    const space = spaceIn(said);
    if (space && isNearlyFull(space)) throw new DiskNearlyFull(space);
  };
  const watch = async () => {
    while (!done.signal.aborted) {
      await sleep(POLL_MS, undefined, { signal: done.signal });
      await look();
    }
  };
  try {
    await look();
    // Any other failure says that the container has ended, which ends the work by itself.
    const watching = watch().catch((error: unknown) => {
      if (error instanceof DiskNearlyFull) full.abort(error);
    });
    try {
      return await work(AbortSignal.any([signal, full.signal]));
    } catch (error) {
      throw full.signal.aborted ? full.signal.reason : error;
    } finally {
      done.abort();
      await watching;
    }
  } finally {
    await shell.close();
  }
}

/** Reads what `df -Pk` prints. @returns null where the image has no such program */
function spaceIn(lines: readonly string[]): DiskSpace | null {
  const [, total, free] = /\s(\d+)\s+\d+\s+(\d+)\s+\d+%/.exec(lines.at(-1) ?? '') ?? [];
  return total === undefined || free === undefined
    ? null
    : { totalBytes: Number(total) * 1024, freeBytes: Number(free) * 1024 };
}
