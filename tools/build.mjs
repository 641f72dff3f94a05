/** `npm run build`: compiles the applications and builds the console, if a source has changed since the last build. */
import './lib/install/node-version.mjs';
import path from 'node:path';
import { ensureBuild } from './lib/build/build.mjs';
import { ensureDependencies } from './lib/install/dependencies.mjs';
import { stepsOf } from './lib/steps.mjs';
import { interruption, runTool } from './lib/tool.mjs';

const root = path.resolve(import.meta.dirname, '..');
const { step } = stepsOf('build');

await runTool('build', async () => {
  const signal = interruption();
  await ensureDependencies(root, { step, signal, onlyToStart: true });
  await ensureBuild(root, { step, signal });
});
