import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { ensureConsole } from './console.mjs';
import { Refusal } from '../refusal.mjs';

const SOURCES = ['apps', 'libs', 'database'];
const SETTINGS = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];

/**
 * Compiles all applications if a source has changed since the last build. `npm run lint` and `npm run build` check
 * types: a start should not wait half a minute for that.
 */
export async function ensureBuild(root, { step, signal }) {
  const stamp = path.join(root, 'dist', '.built');
  const fingerprint = fingerprintOf(root);
  if (!fs.existsSync(stamp) || fs.readFileSync(stamp, 'utf8') !== fingerprint) {
    await step('compiling', () => compile(root, signal));
    fs.writeFileSync(stamp, fingerprint);
  }
  await ensureConsole(root, { step, signal });
}

async function compile(root, signal) {
  signal?.throwIfAborted();
  const { transpile } = await import('./transpile.mjs');
  try {
    await transpile(root, sourcesOf(root));
  } catch (error) {
    throw new Refusal(`the build failed: ${error.message}`);
  }
}

/**
 * Changes whenever a source appears, disappears or is written to. Uses sizes and times only: reading every file would
 * cost more than the rest of a warm start.
 */
function fingerprintOf(root) {
  const hash = createHash('sha256');
  const add = (file) => {
    const { size, mtimeMs } = fs.statSync(path.join(root, file));
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  };
  sourcesOf(root).forEach(add);
  SETTINGS.forEach(add);
  return hash.digest('hex');
}

const sourcesOf = (root) =>
  SOURCES.filter((folder) => fs.existsSync(path.join(root, folder))).flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true })
      .filter(isCompiled)
      .sort()
      .map((file) => path.join(folder, file)),
  );

/** The console runs in browsers; Vite builds it. */
const isCompiled = (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.startsWith('console/');
