import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { Refusal } from '../refusal.mjs';
import { run } from '../run.mjs';

const SOURCE = path.join('apps', 'console');
/** Generated; the console's type check needs it too. */
const TYPES = path.join(SOURCE, 'src', 'api', 'schema.d.ts');
const TARGET = path.join('dist', 'apps', 'console');
const COMPRESSED = /\.(js|css|html|svg)$/;
const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

/**
 * Builds the console where its sources have changed: bundles with Vite, and writes a compressed copy of each file
 * beside it. Vite needs no types; `ensureConsoleTypes` generates them for type checks.
 */
export async function ensureConsole(root, { step, signal }) {
  const stamp = path.join(root, TARGET, '.built');
  const sources = sourcesOf(root);
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === sources) return;
  await step('building the console', async () => {
    await program(root, signal, 'vite/bin/vite.js', ['build', SOURCE, '--logLevel', 'warn']);
    await compress(path.join(root, TARGET));
  });
  fs.writeFileSync(stamp, sources);
}

/** Generates the types of the panel's API from its document, which `document` names. */
export async function ensureConsoleTypes(root, { document, signal }) {
  const args = [document, '-o', TYPES, '--default-non-nullable=false'];
  await program(root, signal, 'openapi-typescript/bin/cli.js', args);
}

async function program(root, signal, name, args) {
  const script = path.join(root, 'node_modules', name);
  const { code, stdout, stderr } = await run(process.execPath, [script, ...args], {
    cwd: root,
    signal,
    stdout: 'keep',
    stderr: 'keep',
  });
  if (code !== 0) throw new Refusal(`the console cannot be built (${name}):\n${stdout}${stderr}`);
}

async function compress(folder) {
  const files = fs.readdirSync(folder, { recursive: true }).filter((name) => COMPRESSED.test(name));
  await Promise.all(
    files.map(async (name) => {
      const file = path.join(folder, name);
      const text = fs.readFileSync(file);
      fs.writeFileSync(`${file}.br`, await brotli(text));
      fs.writeFileSync(`${file}.gz`, await gzip(text));
    }),
  );
}

/** Changes whenever a file of the console changes. Generated types are left out. */
function sourcesOf(root) {
  const hash = createHash('sha256');
  const files = fs.readdirSync(path.join(root, SOURCE), { recursive: true }).sort();
  for (const name of files.filter((each) => !each.endsWith('schema.d.ts'))) {
    const stat = fs.statSync(path.join(root, SOURCE, name));
    if (stat.isFile()) hash.update(`${name}\0${stat.size}\0${stat.mtimeMs}\n`);
  }
  return hash.digest('hex');
}
