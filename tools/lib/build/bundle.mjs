import fs from 'node:fs';
import path from 'node:path';
import { run } from '../run.mjs';
import { Refusal } from '../refusal.mjs';

const APPLICATIONS = ['partner-api', 'panel-api', 'worker', 'cli'];

/**
 * Creates one file per application beside its compiled entry, for whole test runs. A process takes 1.3 seconds of CPU
 * time to load its 3,000 files and 0.5 to load the bundle. `npm start` runs the original files and needs no bundler.
 */
export async function ensureBundles(root, { say, signal }) {
  const stamp = path.join(root, 'dist', '.bundled');
  const built = fs.readFileSync(path.join(root, 'dist', '.built'), 'utf8');
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === built) return;
  say('bundling ...');
  const args = [path.join(import.meta.dirname, 'bundle-applications.mjs'), root, ...APPLICATIONS];
  const { code } = await run(process.execPath, args, { cwd: root, signal });
  if (code !== 0) throw new Refusal(`the bundle failed (${code}): fix the errors above`);
  fs.writeFileSync(stamp, built);
}
