const { CI, TEST_WHOLE } = process.env;

/**
 * How much longer tests may take than they say. In a whole run three files share two processors, and nobody knows how slow
 * the machine of a CI run is.
 */
export const PATIENCE = TEST_WHOLE === '1' || CI === 'true' ? 3 : 1;
