/**
 * `npm run lint`: ESLint with types, Prettier, the type check of the whole tree, the import rules, and the rules of
 * Spectral and OWASP for the OpenAPI documents, two at a time.
 * Exit code 1 when any of them complains. What is checked follows from the configuration file of each.
 */
import './lib/install/node-version.mjs';
import fs from 'node:fs';
import path from 'node:path';
import { ensureBuild } from './lib/build/build.mjs';
import { ensureConsoleLimits } from './lib/build/console-limits.mjs';
import { ensureConsoleTypes } from './lib/build/console.mjs';
import { ensureDependencies } from './lib/install/dependencies.mjs';
import { documentFiles, writeDocuments } from './lib/build/openapi-documents.mjs';
import { run } from './lib/run.mjs';
import { stepsOf } from './lib/steps.mjs';
import { interruption, runTool } from './lib/tool.mjs';

const root = path.resolve(import.meta.dirname, '..');
const { step } = stepsOf('lint');
const AT_A_TIME = 2;
const LAYERS = ['apps', 'libs', 'database'].filter((name) => fs.existsSync(path.join(root, name)));

const DOCUMENTS = documentFiles(root);

/** The slowest first, so that the quick ones run beside it. */
const CHECKS = [
  { name: 'eslint', program: 'eslint/bin/eslint.js', args: ['--max-warnings=0', '.'] },
  { name: 'types', program: 'typescript/bin/tsc', args: ['--project', 'tsconfig.eslint.json', '--pretty', 'false'] },
  {
    name: 'console',
    program: 'typescript/bin/tsc',
    args: ['--project', 'apps/console/tsconfig.json', '--pretty', 'false'],
  },
  {
    name: 'imports',
    program: 'dependency-cruiser/bin/dependency-cruise.mjs',
    args: ['--ts-config=tsconfig.eslint.json', ...LAYERS],
  },
  {
    name: 'openapi',
    program: '@stoplight/spectral-cli/dist/index.js',
    args: ['lint', ...DOCUMENTS, '--fail-severity=hint'],
  },
  { name: 'prettier', program: 'prettier/bin/prettier.cjs', args: ['--check', '--log-level=warn', '.'] },
];

await runTool('lint', async () => {
  const signal = interruption();
  await ensureDependencies(root, { step, signal });
  await ensureBuild(root, { step, signal });
  const [, panel] = await writeDocuments(root, signal);
  await ensureConsoleTypes(root, { document: panel, signal });
  await ensureConsoleLimits(root, panel);
  const waiting = [...CHECKS];
  const results = [];
  const worker = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) results.push(await outcome(check, signal));
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  for (const { name, passed, seconds } of results)
    process.stdout.write(`${passed ? 'passed' : 'FAILED'}  ${name} (${seconds} s)\n`);
  return results.every(({ passed }) => passed) ? 0 : 1;
});

/** Runs one check and prints its whole output at once, so that two checks never mix their lines. */
async function outcome({ name, program, args }, signal) {
  const began = performance.now();
  const command = [path.join(root, 'node_modules', program), ...args];
  const found = await run(process.execPath, command, { cwd: root, signal, stdout: 'keep', stderr: 'keep' });
  const passed = found.code === 0;
  if (!passed) process.stdout.write(`--- ${name}\n${found.stdout}${found.stderr}\n`);
  return { name, passed, seconds: ((performance.now() - began) / 1000).toFixed(1) };
}
