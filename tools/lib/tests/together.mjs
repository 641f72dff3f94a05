import fs from 'node:fs';
import path from 'node:path';
import { isLeftOut } from './thorough.mjs';

/**
 * Jest loads the application again for each file, which is most of a small file's time. In a whole run, the specs of a
 * folder with this file are one Jest file, which loads it once for all of them.
 */
export const SUITE = 'together.suite.ts';

/** Start when everything else has: they wait for their turn with the database servers. */
const LAST = new Set(['console-journey.e2e.spec.ts']);

/** Long by themselves, or changing the environment of their process: one Jest file each, started first. */
export const ALONE = new Set([
  'compose-file.spec.ts',
  'analysis-killed.e2e.spec.ts',
  'git-killed.e2e.spec.ts',
  'build-registry.e2e.spec.ts',
  'git-queue.e2e.spec.ts',
  'build-secrets.e2e.spec.ts',
  'image-builder-buildkit.spec.ts',
  'git-canary.e2e.spec.ts',
  'git-generated.e2e.spec.ts',
  'git-services.e2e.spec.ts',
  'console-people.e2e.spec.ts',
  'first-minute.spec.ts',
  'key-ring.spec.ts',
  'reference-page.spec.ts',
  'services-killed.e2e.spec.ts',
  'services-swarm.e2e.spec.ts',
  'container-runtime-swarm.spec.ts',
  'documented-commands.spec.ts',
  'kept-instance.spec.ts',
  'realtime-logs.e2e.spec.ts',
  'faults.spec.ts',
  'process.e2e.spec.ts',
  'accounts.spec.ts',
  'monitoring.e2e.spec.ts',
  'crashes.spec.ts',
  'panel-openapi.spec.ts',
  'services-engine.e2e.spec.ts',
  'domains-engine.e2e.spec.ts',
  'start-refusals.spec.ts',
  'ephemeral-instance.spec.ts',
  'services-recovery.e2e.spec.ts',
  'limits.e2e.spec.ts',
  'large-file.spec.ts',
  'partners-and-tokens.spec.ts',
  'one-truth.spec.ts',
  'killed.spec.ts',
  'import-command.spec.ts',
  'terminal.spec.ts',
  'browser-sign-in.e2e.spec.ts',
  'console.e2e.spec.ts',
  'console-keyboard.e2e.spec.ts',
  'qdrant.e2e.spec.ts',
  'qdrant-backups.e2e.spec.ts',
  'mongodb-backups.e2e.spec.ts',
  'documented-session.e2e.spec.ts',
  'mcp-engine.e2e.spec.ts',
  ...LAST,
]);

/** One database server after the other, for most of the run: the first of all to start. */
export const isLongest = (file) =>
  path.dirname(file).split(path.sep).includes('databases') && path.basename(file) === SUITE;

export const isLast = (file) => LAST.has(path.basename(file));

export const isAlone = (file) => ALONE.has(path.basename(file));

/** The specs of a folder that run together, by name. */
export function specsTogether(folder) {
  const specs = fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.spec.ts') && !isAlone(name) && !isLeftOut(name));
  return specs.sort().map((name) => path.join(folder, name));
}

/** Every spec below a folder that runs together with others. */
export function allTogether(folder) {
  const suites = fs.readdirSync(folder, { recursive: true }).filter((name) => path.basename(name) === SUITE);
  return suites.flatMap((suite) => specsTogether(path.join(folder, path.dirname(suite))));
}
