/** Mutation tests of the arithmetic of money: `npx stryker run`, about half an hour. Survivors: docs/billing.md. */
export default {
  testRunner: 'jest',
  jest: { configFile: 'tools/jest-mutation.config.mjs' },
  coverageAnalysis: 'perTest',
  mutate: ['libs/billing/src/domain/**/*.ts', '!**/*.spec.ts'],
  ignorePatterns: ['dist', 'reports', 'coverage', '.data'],
  thresholds: { high: 100, low: 95, break: 95 },
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false },
  concurrency: 2,
  // A busy machine must not pass for a mutant that hangs.
  timeoutMS: 20_000,
};
