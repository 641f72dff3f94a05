/**
 * `npm run cli -- <command>`: the staff CLI on this checkout's instance. Settings come from the environment first, then
 * from the instance that `npm start` keeps in .data/, then from .env. stdout belongs to the command alone; messages of
 * this tool go to stderr.
 */
import './lib/install/node-version.mjs';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureBuild } from './lib/build/build.mjs';
import { isClaimed } from './lib/instance/claim.mjs';
import { ensureDependencies } from './lib/install/dependencies.mjs';
import { Refusal } from './lib/refusal.mjs';
import { readJson } from './lib/instance/secrets.mjs';
import { cliProgram, MODEST_HEAP } from './lib/instance/staff-cli.mjs';
import { stepsOf } from './lib/steps.mjs';
import { runTool } from './lib/tool.mjs';

const root = path.resolve(import.meta.dirname, '..');
const { say, step } = stepsOf('cli');

await runTool('cli', async () => {
  await ensureDependencies(root, { step, onlyToStart: true });
  await ensureBuild(root, { step });
  const command = spawn(process.execPath, [MODEST_HEAP, cliProgram(root), ...process.argv.slice(2)], {
    cwd: whereTheCallerStands(),
    env: { ...instanceSettings(), ...process.env },
    stdio: 'inherit',
  });
  // The terminal's Ctrl-C reaches the command directly; a signal to this process alone is passed on.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => command.kill(signal));
  return new Promise((resolve, reject) => {
    command.once('error', reject);
    command.once('exit', (code, signal) => resolve(code ?? 128 + os.constants.signals[signal]));
  });
});

/** npm runs scripts in the checkout's root; relative paths refer to the caller's folder. */
function whereTheCallerStands() {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env;
  return script === 'cli' && folder ? folder : process.cwd();
}

function instanceSettings() {
  const folder = path.join(root, '.data');
  const file = path.join(folder, 'demo.json');
  if (!fs.existsSync(file)) return dotEnv();
  const { env } = readJson(file) ?? {};
  if (!env) throw new Refusal(`${file} is broken. Remove it and repeat npm start`);
  if (!process.env.DATABASE_URL && !isClaimed(folder))
    say('no instance is running in this checkout; start one with npm start');
  return env;
}

function dotEnv() {
  const file = path.join(root, '.env');
  if (fs.existsSync(file)) process.loadEnvFile(file);
  return {};
}
