/** Enough for a compose file of 256 KiB, which grows when it is escaped as JSON. */
export const BODY_LIMIT_BYTES = 1024 * 1024;
