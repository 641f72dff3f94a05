import path from 'node:path';

/**
 * Guards against something rare, and takes long: workers killed between any two steps, full disks, clocks that jump,
 * stores and dumps that lie, stand-ins for servers that no test can get. Together they take longer than all other tests.
 */
export const THOROUGH = new Set([
  // Databases and backups.
  'worker-kills.e2e.spec.ts',
  'clock-jumps.e2e.spec.ts',
  'backup-faults.e2e.spec.ts',
  'full-disk.e2e.spec.ts',
  'full-disk-restores.e2e.spec.ts',
  'odd-databases.e2e.spec.ts',
  'unproven-dumps.e2e.spec.ts',
  'mongodb-backups.e2e.spec.ts',
  'qdrant-backups.e2e.spec.ts',
  // Git: the same steps with other stores and more builds at once; workers killed in a build or an analysis.
  'build-registry.e2e.spec.ts',
  'git-queue.e2e.spec.ts',
  'git-killed.e2e.spec.ts',
  'analysis-killed.e2e.spec.ts',
  // The contract of the runtime is tested on a swarm in every run, and MCP by its own tests.
  'services-swarm.e2e.spec.ts',
  'documented-session.e2e.spec.ts',
]);

/** Whether rare cases of a file are tested: by `TEST_THOROUGH=1`, and by whoever names the file, except with `TEST_THOROUGH=0`. */
export function isThorough() {
  const { TEST_THOROUGH: asked = '', TEST_WHOLE } = process.env;
  return asked === '' ? TEST_WHOLE !== '1' : asked === '1';
}

/** Whether a whole run leaves this spec out. */
export const isLeftOut = (file) => process.env.TEST_THOROUGH !== '1' && THOROUGH.has(path.basename(file));
