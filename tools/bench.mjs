/**
 * `npm run bench`: measures the product against raw programs that do the same work, in the same run.
 * `npm run bench -- 1 5 7` runs chosen rows; `--help` lists the options; docs/performance.md explains the rows.
 *
 * stdout is for the table (or one JSON document with --json); progress goes to stderr. The exit code is 1 when a row
 * is below its floor.
 */
import './lib/install/node-version.mjs';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { BENCH_HELP, benchOptions } from './lib/bench-options.mjs';
import { ensureBuild } from './lib/build/build.mjs';
import { claim } from './lib/instance/claim.mjs';
import { ensureDependencies } from './lib/install/dependencies.mjs';
import { startEmbeddedPostgres } from './lib/postgres/embedded-postgres.mjs';
import { freePorts } from './lib/ports.mjs';
import { Refusal } from './lib/refusal.mjs';
import { run } from './lib/run.mjs';
import { ownFolder } from './lib/postgres/server-account.mjs';
import { runStaffCommand } from './lib/instance/staff-cli.mjs';
import { temporaryFolder } from './lib/instance/throwaway.mjs';
import { stepsOf } from './lib/steps.mjs';
import { interruption, runTool } from './lib/tool.mjs';

const root = path.resolve(import.meta.dirname, '..');
const { say, step } = stepsOf('bench');

/** As in production: every commit reaches the disk. Sized for a small dedicated server. */
const PRODUCTION_LIKE = {
  max_connections: 200,
  shared_buffers: '1GB',
  effective_cache_size: '3GB',
  maintenance_work_mem: '256MB',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
};

await runTool('bench', async () => {
  const options = benchOptions(process.argv.slice(2));
  if (options.help) return void process.stdout.write(BENCH_HELP);
  const signal = interruption();
  await ensureDependencies(root, { step, signal });
  await ensureBuild(root, { step, signal });
  await compileBench(signal);
  const place = options.keep ? await keptFolder(options.keep) : await temporaryFolder('tenantry-bench-');
  let server;
  try {
    server = await startServer(place.folder);
    const { bench } = await import(pathToFileURL(path.join(root, 'dist', 'bench', 'main.js')).href);
    return await bench({ ...options, root, folder: place.folder, databaseUrl: server.url, signal, say });
  } finally {
    await server?.stop();
    place.claim.release();
    if (!options.keep) fs.rmSync(place.folder, { recursive: true, force: true });
  }
});

async function compileBench(signal) {
  const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [compiler, '--project', 'tsconfig.bench.json', '--pretty', 'false'];
  const { code } = await run(process.execPath, args, { cwd: root, signal });
  if (code !== 0) throw new Refusal(`the bench does not compile (${code}): fix the errors above`);
}

async function startServer(folder) {
  const [port] = await freePorts(1);
  const logFile = path.join(folder, 'postgres.log');
  const server = await startEmbeddedPostgres({
    home: path.join(folder, 'postgres'),
    port,
    logFile,
    settings: PRODUCTION_LIKE,
  });
  const env = { DATABASE_URL: server.url, SECRETS_KEYS: `k1:${randomBytes(32).toString('base64')}` };
  try {
    await runStaffCommand({ root, args: ['migrate', 'up'], env, log: path.join(folder, 'cli.log') });
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** A folder that outlives the run: the next run finds its data there and need not create them again. */
async function keptFolder(given) {
  const folder = path.resolve(given);
  ownFolder(folder, process.getuid?.() === 0 ? 0o711 : 0o700);
  return { folder, claim: await claim(folder) };
}
