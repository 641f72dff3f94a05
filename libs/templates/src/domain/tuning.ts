/** A whole number of the given share, within both bounds. */
export function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.floor(value)));
}

/** The share of memory that a buffer pool takes: little where the server itself needs most of it. */
export function bufferPoolMb(memoryMb: number, smallShare: number): number {
  const share = memoryMb < 1024 ? smallShare : memoryMb < 4096 ? 0.5 : 0.65;
  return Math.floor(memoryMb * share);
}
