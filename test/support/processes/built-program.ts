import path from 'node:path';

export type Program = 'partner-api' | 'panel-api' | 'worker' | 'cli';

/**
 * The built program to start as a process. A whole run has each as one bundle, which starts in half the time
 * (tools/lib/build/bundle.mjs); process.e2e.spec.ts and the tests of the tools start what is shipped.
 */
export function builtProgram(name: Program): string {
  const file = process.env['TEST_BUNDLES'] === '1' ? 'main.bundle.mjs' : 'main.js';
  return path.resolve(__dirname, '../../../dist/apps', name, 'src', file);
}
