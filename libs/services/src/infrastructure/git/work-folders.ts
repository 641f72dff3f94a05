import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'panel-git-';

/**
 * A folder that only this user can access. Its name contains the process id, so that leftovers of dead processes are
 * found.
 */
export function makeWorkFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
}

/**
 * Removes the clones and deploy keys that killed processes left behind. To be called at the start of a process, before
 * it clones: a folder with its own id was made by an earlier process, because ids repeat in containers.
 */
export async function removeAbandonedFolders(folder: string = tmpdir()): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    await rm(join(folder, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
