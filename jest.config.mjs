import { availableParallelism } from 'node:os';

/**
 * Everything runs as CommonJS through one small swc transform: Jest on Node 20 cannot require() the ES modules
 * that Nest 12 consists of. The condition `source` lets `#kernel/*` and its kin resolve to the TypeScript files.
 */
const shared = {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  moduleFileExtensions: ['js', 'mjs', 'cjs', 'ts', 'json'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '\\.[cm]?[jt]s$': '<rootDir>/tools/jest-transform.cjs' },
  transformIgnorePatterns: [],
  rootDir: import.meta.dirname,
};

export default {
  rootDir: import.meta.dirname,
  testTimeout: 30_000,
  // Also on two cores, where Jest would take one: most files wait for processes and for the database.
  maxWorkers: Math.max(2, availableParallelism() - 1),
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
      testRegex: '\\.spec\\.ts$',
      setupFilesAfterEnv: ['<rootDir>/test/support/jest-setup.ts'],
    },
  ],
  collectCoverageFrom: ['apps/**/*.ts', 'libs/**/*.ts', '!**/*.spec.ts', '!**/main.ts'],
  coverageProvider: 'v8',
};
