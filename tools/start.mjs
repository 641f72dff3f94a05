/**
 * `npm start`: from a fresh clone to a running instance. Dependencies, build, embedded PostgreSQL (or DATABASE_URL),
 * migrations, partner API, panel API, worker, local identity provider and demo data; `--help` lists the options.
 *
 * stdout is for the page of what to try, or for one JSON line with --ephemeral; progress goes to stderr. A process
 * that ends by itself is started again; when it ends for the fifth time within a minute, everything is stopped and the
 * exit code is 1. SIGINT, SIGTERM and SIGHUP stop everything in order; the exit code is 0 when the instance was ready.
 */
import './lib/install/node-version.mjs';
import fs from 'node:fs';
import path from 'node:path';
import { ensureBuild } from './lib/build/build.mjs';
import { claim } from './lib/instance/claim.mjs';
import { databaseHome } from './lib/postgres/database.mjs';
import { ensureDependencies } from './lib/install/dependencies.mjs';
import { engineLine } from './lib/instance/engine.mjs';
import { Instance } from './lib/instance/instance.mjs';
import { Refusal, withoutPasswords } from './lib/refusal.mjs';
import { ownFolder } from './lib/postgres/server-account.mjs';
import { HELP, startOptions } from './lib/instance/start-options.mjs';
import { temporaryFolder } from './lib/instance/throwaway.mjs';
import { stepsOf } from './lib/steps.mjs';
import { aborted, interruption, runTool } from './lib/tool.mjs';
import { watchSources } from './lib/build/watch-sources.mjs';
import { welcome } from './lib/instance/welcome.mjs';

const root = path.resolve(import.meta.dirname, '..');
const { say, step } = stepsOf('start');

await runTool('start', async () => {
  const options = startOptions(process.argv.slice(2));
  if (options.help) return void process.stdout.write(HELP);
  const signal = interruption();
  await ensureDependencies(root, { step, signal, onlyToStart: true });
  await ensureBuild(root, { step, signal });
  const { folder, claim: held } = options.ephemeral ? await temporaryFolder('tenantry-instance-') : await ownPlace();
  const instance = new Instance({ root, folder, claim: held, options, say, step, signal });
  const sources = options.watch ? watchSources(root) : undefined;
  try {
    const description = await instance.start(environment(options));
    announce(description, instance, options, await engineLine(description.env.DOCKER_HOST));
    await Promise.race([aborted(signal), instance.failure]);
    say('stopping ...');
  } finally {
    await sources?.stop();
    await instance.stop();
    held.release();
    if (options.ephemeral) fs.rmSync(folder, { recursive: true, force: true });
  }
});

/** The checkout's own folder. As root, the database's account may pass through it but cannot list it. */
async function ownPlace() {
  const folder = path.join(root, '.data');
  ownFolder(folder, process.getuid?.() === 0 ? 0o711 : 0o700);
  return { folder, claim: await claim(folder) };
}

/** The environment, completed by the checkout's .env; a throw-away instance uses only the environment. */
function environment({ ephemeral }) {
  const file = path.join(root, '.env');
  if (!ephemeral && fs.existsSync(file)) {
    try {
      process.loadEnvFile(file);
    } catch (error) {
      throw new Refusal(`${file} cannot be read (${error.message}): correct or remove it`);
    }
  }
  return process.env;
}

function announce(description, instance, { ephemeral }, engine) {
  if (ephemeral) return process.stdout.write(`${JSON.stringify(description)}\n`);
  const { env, databaseUrl } = description;
  const databasePlace = process.env.DATABASE_URL
    ? withoutPasswords(databaseUrl)
    : `${databaseHome(instance.folder)} (port ${env.POSTGRES_PORT})`;
  const seconds = (performance.now() / 1000).toFixed(1);
  process.stdout.write(welcome({ description, demoFile: instance.demoFile, databasePlace, engine, seconds }));
}
