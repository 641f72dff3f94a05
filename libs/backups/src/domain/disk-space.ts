export interface DiskSpace {
  readonly totalBytes: number;
  readonly freeBytes: number;
}

const MB = 2 ** 20;
const RESERVE_PART = 32;
const MIN_RESERVE_BYTES = 32 * MB;
const MAX_RESERVE_BYTES = 512 * MB;

/** Whether a restore must stop: what is left is for the server's own log and for everybody else on the disk. */
export function isNearlyFull({ totalBytes, freeBytes }: DiskSpace): boolean {
  const reserve = Math.min(Math.max(totalBytes / RESERVE_PART, MIN_RESERVE_BYTES), MAX_RESERVE_BYTES);
  return freeBytes < reserve;
}
