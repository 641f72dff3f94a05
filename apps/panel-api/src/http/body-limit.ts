/** A compose file of 256 KiB, which JSON writes longer than it is. */
export const BODY_LIMIT_BYTES = 1024 * 1024;
