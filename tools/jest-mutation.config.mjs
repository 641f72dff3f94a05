import jest from '../jest.config.mjs';

const unit = jest.projects.find((project) => project.displayName === 'unit');

/** The tests that Stryker runs for every mutant: the unit tests without the long comparison with the oracle. */
export default {
  ...unit,
  testPathIgnorePatterns: ['statement-oracle\\.spec\\.ts$'],
  setupFilesAfterEnv: ['<rootDir>/tools/jest-mutation.setup.mjs'],
};
