/**
 * `npm test`: installs what is missing, builds, starts a throw-away PostgreSQL and runs Jest on it.
 * All arguments go to Jest: `npm test -- --selectProjects unit`, `npm test -- path/to/file`. Without names or paths most
 * specs of a folder run as one file, which loads the application once for all of them (lib/tests/together.mjs).
 *
 * TEST_DATABASE_URL  use this server (a role that may create databases) and start none
 * TEST_SUMMARY_FILE  where Jest's JSON summary goes, for scripts that count
 * TEST_BUNDLES=1     start programs from one file each, as a whole run does (lib/build/bundle.mjs)
 * TEST_THOROUGH=1    a whole run also includes rare faults, which take long; 0 leaves rare cases out of named files too
 * CI=true            a missing Docker engine is a failure (REQUIRE_DOCKER=1 does the same)
 */
import './lib/install/node-version.mjs';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { ensureBuild } from './lib/build/build.mjs';
import { ensureBundles } from './lib/build/bundle.mjs';
import { ensureDependencies } from './lib/install/dependencies.mjs';
import { startEmbeddedPostgres } from './lib/postgres/embedded-postgres.mjs';
import { isWhole, jestArguments, onlyUnit } from './lib/tests/jest-arguments.mjs';
import { isLeftOut, THOROUGH } from './lib/tests/thorough.mjs';
import { freePorts } from './lib/ports.mjs';
import { temporaryFolder } from './lib/instance/throwaway.mjs';
import { stepsOf } from './lib/steps.mjs';
import { interruption, runTool } from './lib/tool.mjs';

const root = path.resolve(import.meta.dirname, '..');
const { say, step } = stepsOf('test');

/** Not durable: these data live as long as the run. */
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: 300 };

await runTool('test', async () => {
  const args = process.argv.slice(2);
  const signal = interruption();
  const whole = isWhole(args);
  const bundled = whole || process.env.TEST_BUNDLES === '1';
  await ensureDependencies(root, { step, signal });
  const { folder, claim } = await temporaryFolder('tenantry-test-', { inMemory: true });
  let server;
  try {
    if (!onlyUnit(args)) {
      await ensureBuild(root, { step, signal });
      if (bundled) await ensureBundles(root, { say, signal });
      if (!process.env.TEST_DATABASE_URL) server = await throwawayServer(folder);
    }
    signal.throwIfAborted();
    const leftOut = whole ? [...THOROUGH].filter(isLeftOut) : [];
    if (leftOut.length > 0)
      say(`skipped: ${leftOut.join(', ')}: rare faults that take long; TEST_THOROUGH=1 runs them`);
    const summary = process.env.TEST_SUMMARY_FILE ?? path.join(folder, 'summary.json');
    return await runJest(jestArguments(args, summary), environment(server, { whole, bundled }), signal);
  } finally {
    await server?.stop();
    claim.release();
    fs.rmSync(folder, { recursive: true, force: true });
  }
});

async function throwawayServer(folder) {
  const [port] = await freePorts(1);
  const home = path.join(folder, 'postgres');
  return startEmbeddedPostgres({ home, port, logFile: path.join(folder, 'postgres.log'), settings: FAST });
}

function environment(server, { whole, bundled }) {
  const { CI, TEST_DATABASE_URL = server?.url } = process.env;
  return {
    ...process.env,
    ...(TEST_DATABASE_URL && { TEST_DATABASE_URL }),
    ...(CI === 'true' && { REQUIRE_DOCKER: '1' }),
    // See lib/tests/together.mjs.
    TEST_WHOLE: whole ? '1' : '',
    TEST_BUNDLES: bundled ? '1' : '',
  };
}

/**
 * Runs Jest with its output on this terminal.
 * @returns Jest's exit code
 */
function runJest(args, env, signal) {
  const jest = spawn(process.execPath, [path.join(root, 'node_modules/jest/bin/jest.js'), ...args], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  signal.addEventListener('abort', () => {
    jest.kill('SIGTERM');
    setTimeout(() => jest.kill('SIGKILL'), 10_000).unref();
  });
  return new Promise((resolve, reject) => {
    jest.once('error', reject);
    jest.once('exit', (code) => (signal.aborted ? reject(signal.reason) : resolve(code ?? 1)));
  });
}
