import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Refusal } from './refusal.mjs';
import { run } from './run.mjs';

const SOURCES = ['apps', 'libs', 'database'];
const SETTINGS = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];

/**
 * Compiles all applications where a source has changed since the last build. One compiler run over the whole tree
 * writes the same files as `nest build --all`, which runs the compiler once per application.
 */
export async function ensureBuild(root, { say, signal }) {
  const stamp = path.join(root, 'dist', '.built');
  const fingerprint = fingerprintOf(root);
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === fingerprint) return;
  say('building ...');
  const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [compiler, '--project', 'tsconfig.build.json', '--pretty', 'false'];
  const { code } = await run(process.execPath, args, { cwd: root, signal });
  if (code !== 0) throw new Refusal(`the build failed (${code}): cure the errors above`);
  fs.writeFileSync(stamp, fingerprint);
}

/**
 * Changes whenever a source appears, disappears or is written to. Sizes and times only: reading every file would
 * cost more than the rest of a warm start.
 */
function fingerprintOf(root) {
  const hash = createHash('sha256');
  const add = (file) => {
    const { size, mtimeMs } = fs.statSync(path.join(root, file));
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  };
  for (const folder of SOURCES) {
    if (!fs.existsSync(path.join(root, folder))) continue;
    const files = fs.readdirSync(path.join(root, folder), { recursive: true });
    for (const file of files.filter(isCompiled).sort()) add(path.join(folder, file));
  }
  SETTINGS.forEach(add);
  return hash.digest('hex');
}

const isCompiled = (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts');
