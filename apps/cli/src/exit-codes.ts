/** The command line itself was wrong. 0 means done, 1 refused or failed. */
export const EXIT_USAGE = 2;
