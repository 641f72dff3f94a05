import fs from 'node:fs';
import path from 'node:path';
import { Refusal } from './refusal.mjs';
import { run } from './run.mjs';

const readJson = (file) => {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

/**
 * Whether node_modules holds what package-lock.json asks for. npm notes what it installed in
 * `node_modules/.package-lock.json`, as the last act of a complete installation, so no stamp of our own is needed and
 * an `npm ci` by hand counts as well. Packages for other platforms are absent rightly.
 */
export function dependenciesAreCurrent(root) {
  const wanted = readJson(path.join(root, 'package-lock.json'))?.packages;
  const installed = readJson(path.join(root, 'node_modules', '.package-lock.json'))?.packages;
  if (!wanted)
    throw new Refusal('package-lock.json is missing or broken: restore it with git checkout package-lock.json');
  if (!installed) return false;
  return Object.entries(wanted).every(([place, { version, optional, peer, link }]) => {
    if (place === '' || link) return true;
    const found = installed[place];
    return found ? found.version === version : Boolean(optional || peer);
  });
}

/** Installs the dependencies where they are missing or out of date. Output goes to stderr: stdout is the caller's. */
export async function ensureDependencies(root, { say, signal }) {
  if (dependenciesAreCurrent(root)) return;
  const folder = path.join(root, 'node_modules');
  if (fs.lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new Refusal('node_modules is a link and out of date: run npm ci in the folder that it points to');
  say('installing the dependencies (npm ci) ...');
  // Builds need the development dependencies even where NODE_ENV=production is set.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code } = await run('npm', args, { cwd: root, signal });
  if (code === 'ENOENT') throw new Refusal('npm is not on the PATH: install it beside Node');
  if (code !== 0) throw new Refusal(`npm ci failed (${code}): cure the reason above and repeat, it starts over`);
}
