import path from 'node:path';

export type Program = 'partner-api' | 'panel-api' | 'worker' | 'cli';

/**
 * Path of a built program. A whole test run bundles each program into one file, which starts in half the time
 * (tools/lib/build/bundle.mjs). process.e2e.spec.ts and the tests of the tools start the files that are shipped.
 */
export function builtProgram(name: Program): string {
  const file = process.env['TEST_BUNDLES'] === '1' ? 'main.bundle.mjs' : 'main.js';
  return path.resolve(__dirname, '../../../dist/apps', name, 'src', file);
}
