import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { claim, readClaim } from './claim.mjs';
import { serverCanEnter } from '../postgres/embedded-postgres.mjs';
import { endOrphan } from '../postgres/postgres-server.mjs';
import { isSame } from '../processes.mjs';
import { Refusal } from '../refusal.mjs';

const GIBIBYTE = 2 ** 30;
const MEMORY = '/dev/shm';

/**
 * A temporary folder for an instance or a test run, claimed for this process. Its embedded database can be entered by
 * the account that runs it (as root that is another one, and the usual temporary folder may be private). Folders of
 * earlier runs that were killed are cleared away first, with what still runs in them.
 * @param inMemory keeps it in memory where there is plenty, for databases that are made and dropped by the hundred
 */
export async function temporaryFolder(prefix, { inMemory = false } = {}) {
  const disk = serverCanEnter(os.tmpdir()) ? os.tmpdir() : '/var/tmp';
  // First of all, because this run needs the memory used by a killed one.
  const mayUseMemory = inMemory && fs.existsSync(MEMORY) && serverCanEnter(MEMORY);
  for (const place of mayUseMemory ? [MEMORY, disk] : [disk]) await sweep(place, prefix);
  const parent = mayUseMemory && isMemoryPlenty() ? MEMORY : disk;
  const folder = fs.mkdtempSync(path.join(parent, prefix));
  if (process.getuid?.() === 0) fs.chmodSync(folder, 0o711);
  return { folder, claim: await claim(folder) };
}

function isMemoryPlenty() {
  const { bavail, bsize } = fs.statfsSync(MEMORY);
  return bavail * bsize >= 6 * GIBIBYTE && process.availableMemory() >= 12 * GIBIBYTE;
}

async function sweep(parent, prefix) {
  for (const name of fs.readdirSync(parent).filter((entry) => entry.startsWith(prefix))) {
    const folder = path.join(parent, name);
    const { uid } = fs.lstatSync(folder, { throwIfNoEntry: false }) ?? {};
    // A folder without a note is being created by another start. Read it once, because the note may appear meanwhile.
    const { launcher } = readClaim(folder);
    if (uid !== process.getuid?.() || !launcher || isSame(launcher) || !(await isMine(folder))) continue;
    await endOrphan(path.join(folder, 'postgres', 'data'));
    // Another start that checks whether it may remove the folder writes into it for a moment.
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Claims the leftovers of a killed run, unless another start was first. */
async function isMine(folder) {
  try {
    await claim(folder);
    return true;
  } catch (error) {
    if (error instanceof Refusal || error.code === 'ENOENT') return false;
    throw error;
  }
}
