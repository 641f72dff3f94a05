/** The first lines that fit into the given number of bytes as JSON; at least one. */
export function fitting<Line extends object>(lines: readonly Line[], maxBytes: number): Line[] {
  let bytes = 0;
  const over = lines.findIndex((line) => (bytes += Buffer.byteLength(JSON.stringify(line)) + 1) > maxBytes);
  return over === -1 ? [...lines] : lines.slice(0, Math.max(1, over));
}
