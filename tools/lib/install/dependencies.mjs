import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Refusal } from '../refusal.mjs';
import { run } from '../run.mjs';
import { forStarting } from './starting-needs.mjs';

/** The fingerprint of package.json and package-lock.json at the last installation for starting only. */
const STAMP = '.for-starting';

const readJson = (file) => {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

/**
 * Whether node_modules holds what package-lock.json asks for. npm records what it installed in
 * `node_modules/.package-lock.json` at the end of a complete installation. So no marker of our own is needed, and an
 * `npm ci` by hand counts as well. Packages for other platforms are rightly absent.
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

/**
 * Installs the dependencies where they are missing or out of date. Output goes to stderr: stdout is the caller's.
 * @param {{ onlyToStart?: boolean }} options `onlyToStart`: a fresh checkout gets what `npm start` needs and no more,
 *   which is half of all; whoever checks or tests gets the rest
 */
export async function ensureDependencies(root, { step, signal, onlyToStart = false }) {
  if (dependenciesAreCurrent(root)) return;
  const fingerprint = fingerprintOf(root);
  if (onlyToStart && readText(path.join(root, 'node_modules', STAMP)) === fingerprint) return;
  const folder = path.join(root, 'node_modules');
  if (fs.lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new Refusal('node_modules is a link and out of date: run npm ci in the folder that it points to');
  if (onlyToStart)
    await step('installing what starting needs (npm ci)', () => installToStart(root, fingerprint, signal));
  // Builds need the development dependencies even with NODE_ENV=production.
  else await step('installing all dependencies (npm ci)', () => npmCi(root, ['--include=dev'], signal));
}

/** In a folder of its own, so that an installation that was broken off leaves no half node_modules behind. */
async function installToStart(root, fingerprint, signal) {
  const place = path.join(root, '.installing');
  fs.rmSync(place, { recursive: true, force: true });
  fs.mkdirSync(place);
  try {
    for (const name of ['package-lock.json', '.npmrc']) fs.copyFileSync(path.join(root, name), path.join(place, name));
    const all = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
    fs.writeFileSync(path.join(place, 'package.json'), JSON.stringify(forStarting(all)));
    await npmCi(place, ['--omit=dev'], signal);
    fs.writeFileSync(path.join(place, 'node_modules', STAMP), fingerprint);
    fs.rmSync(path.join(root, 'node_modules'), { recursive: true, force: true });
    fs.renameSync(path.join(place, 'node_modules'), path.join(root, 'node_modules'));
  } finally {
    fs.rmSync(place, { recursive: true, force: true });
  }
}

async function npmCi(folder, which, signal) {
  const args = ['ci', ...which, '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, stderr } = await run('npm', args, { cwd: folder, signal, stdout: 'keep', stderr: 'keep' });
  if (code === 'ENOENT') throw new Refusal('npm is not on the PATH: install it beside Node');
  if (code === 0) return;
  process.stderr.write(stderr);
  throw new Refusal(`npm ci failed (${code}): fix the cause above and repeat; it starts over`);
}

function fingerprintOf(root) {
  const hash = createHash('sha256');
  for (const name of ['package.json', 'package-lock.json']) hash.update(fs.readFileSync(path.join(root, name)));
  return hash.digest('hex');
}

function readText(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
}
