import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { claim, isClaimed, readClaim } from './claim.mjs';
import { serverCanEnter } from './embedded-postgres.mjs';
import { endOrphan } from './postgres-server.mjs';

/**
 * A temporary folder for an instance or a test run, claimed for this process. Its embedded database can be entered by
 * the account that runs it (as root that is another one, and the usual temporary folder may be private).
 * Folders of earlier runs that were killed are cleared away first, with what still runs in them.
 */
export async function temporaryFolder(prefix) {
  const parent = serverCanEnter(os.tmpdir()) ? os.tmpdir() : '/var/tmp';
  await sweep(parent, prefix);
  const folder = fs.mkdtempSync(path.join(parent, prefix));
  if (process.getuid?.() === 0) fs.chmodSync(folder, 0o711);
  return { folder, claim: await claim(folder) };
}

async function sweep(parent, prefix) {
  for (const name of fs.readdirSync(parent).filter((entry) => entry.startsWith(prefix))) {
    const folder = path.join(parent, name);
    const { uid } = fs.lstatSync(folder, { throwIfNoEntry: false }) ?? {};
    // A folder without a note is one that is just being made, by another start.
    if (uid !== process.getuid?.() || isClaimed(folder) || !readClaim(folder).launcher) continue;
    (await claim(folder)).release();
    await endOrphan(path.join(folder, 'postgres', 'data'));
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
