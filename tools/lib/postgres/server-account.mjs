import fs from 'node:fs';
import path from 'node:path';
import { Refusal } from '../refusal.mjs';

/**
 * The account that the database server runs as. PostgreSQL refuses to run as root, so root lends it an unprivileged
 * one; everybody else runs it as themselves.
 * @returns {{ uid: number, gid: number } | undefined} undefined: as the caller
 */
export function serverAccount() {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const found = accounts.find((fields) => fields[0] === name);
    if (found) return { uid: Number(found[2]), gid: Number(found[3]) };
  }
  throw new Refusal(
    'the database cannot run as root and no account `postgres` or `nobody` exists: add one, or set DATABASE_URL',
  );
}

/**
 * Whether an unprivileged account can reach files in this folder: every folder on the way must be accessible to others.
 */
export function strangersCanEnter(folder) {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    if (fs.existsSync(at) && !(fs.statSync(at).mode & 0o001)) return false;
    if (at === path.dirname(at)) return true;
  }
}

/**
 * Creates (or takes over) a folder that only the caller can write to. In a folder open to all, such as /var/tmp,
 * somebody else may have created it first: such a folder is refused.
 */
export function ownFolder(folder, mode) {
  fs.mkdirSync(folder, { recursive: true, mode });
  const found = fs.lstatSync(folder);
  if (!found.isDirectory() || (process.getuid && found.uid !== process.getuid()))
    throw new Refusal(`${folder} belongs to another user: remove it, or start as its owner`);
  fs.chmodSync(folder, mode);
  return folder;
}
