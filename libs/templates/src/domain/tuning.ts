/** `value` rounded down to an integer, within both bounds, inclusive. */
export function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.floor(value)));
}

/** The size of a buffer pool: a smaller share of small memory, because the server itself needs most of that. */
export function bufferPoolMb(memoryMb: number, smallShare: number): number {
  const share = memoryMb < 1024 ? smallShare : memoryMb < 4096 ? 0.5 : 0.65;
  return Math.floor(memoryMb * share);
}
