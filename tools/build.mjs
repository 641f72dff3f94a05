/** `npm run build`: compiles the applications and builds the console, where a source has changed since the last time. */
import './lib/node-version.mjs';
import path from 'node:path';
import { ensureBuild } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { interruption, runTool } from './lib/tool.mjs';

const root = path.resolve(import.meta.dirname, '..');
const say = (text) => process.stderr.write(`build: ${text}\n`);

await runTool('build', async () => {
  const signal = interruption();
  await ensureDependencies(root, { say, signal });
  await ensureBuild(root, { say, signal });
});
