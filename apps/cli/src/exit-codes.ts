/** The command line itself was wrong. 0 is done, 1 is refused or failed. */
export const EXIT_USAGE = 2;
