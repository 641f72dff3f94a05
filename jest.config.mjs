import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import path from 'node:path';
import { isLeftOut, THOROUGH } from './tools/lib/tests/thorough.mjs';
import { allTogether, SUITE } from './tools/lib/tests/together.mjs';

/** The packages that are ES modules, at whatever depth of node_modules. */
function esmPackages(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const inside = path.join(folder, name);
    if (name.startsWith('@')) return esmPackages(inside).map((scoped) => `${name}/${scoped}`);
    const manifest = path.join(inside, 'package.json');
    const isEsm = existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).type === 'module';
    return [...(isEsm ? [name] : []), ...esmPackages(path.join(inside, 'node_modules'))];
  });
}
const GIBIBYTE = 2 ** 30;
/** Whoever names files gets those; the whole run goes by suites. */
const isWhole = process.env.TEST_WHOLE === '1';
const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
const together = allTogether(path.join(import.meta.dirname, 'test')).map(escaped);
const leftOut = [...THOROUGH].filter((name) => isLeftOut(name)).map((name) => `/${escaped(name)}$`);
const esm = [...new Set(esmPackages(path.join(import.meta.dirname, 'node_modules')))];

/**
 * Everything runs as CommonJS through one small swc transform: Jest on Node 20 cannot require() the ES modules
 * that Nest 12 consists of. The condition `source` lets `#kernel/*` and its kin resolve to the TypeScript files.
 */
const shared = {
  testEnvironment: '<rootDir>/tools/jest-environment.mjs',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  moduleFileExtensions: ['js', 'mjs', 'cjs', 'ts', 'json'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '\\.[cm]?[jt]s$': '<rootDir>/tools/jest-transform.cjs' },
  // What is CommonJS already is loaded as it is: two thousand files of each application.
  transformIgnorePatterns: [`/node_modules/(?!(?:.*/node_modules/)?(?:${esm.join('|')})/)(?!.*\\.mjs$)`],
  rootDir: import.meta.dirname,
};

export default {
  rootDir: import.meta.dirname,
  testTimeout: 30_000,
  testSequencer: '<rootDir>/tools/jest-sequencer.mjs',
  // Also on two cores, where Jest would take one: most files wait for processes and for the database. Each may take a
  // gigabyte. With four, tests that measure time failed.
  maxWorkers: Math.max(totalmem() < 8 * GIBIBYTE ? 2 : 3, availableParallelism() - 1),
  // Every file loads the application anew and Node never quite forgets the one before: a worker that has grown to this
  // size makes room for a fresh one.
  workerIdleMemoryLimit: '1GB',
  projects: [
    // Pure code: no database, no network. Must stay under 30 seconds as a whole.
    { ...shared, displayName: 'unit', roots: ['<rootDir>/apps', '<rootDir>/libs'], testRegex: '\\.spec\\.ts$' },
    // Real PostgreSQL, HTTP and processes.
    {
      ...shared,
      displayName: 'system',
      roots: ['<rootDir>/test'],
      testRegex: isWhole ? ['\\.spec\\.ts$', `${escaped(SUITE)}$`] : '\\.spec\\.ts$',
      testPathIgnorePatterns: ['/node_modules/', ...(isWhole ? [...together, ...leftOut] : [])],
      setupFilesAfterEnv: ['<rootDir>/test/support/jest-setup.ts'],
    },
  ],
  collectCoverageFrom: ['apps/**/*.ts', 'libs/**/*.ts', '!**/*.spec.ts', '!**/main.ts'],
  coverageProvider: 'v8',
};
