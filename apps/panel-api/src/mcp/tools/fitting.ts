/**
 * The first lines that fit into the given number of bytes as JSON; at least one.
 * @param show what is shown of a line; not called for lines that do not fit, because redaction takes time
 */
export function fitting<Line, Shown extends object>(
  lines: readonly Line[],
  maxBytes: number,
  show: (line: Line) => Shown,
): Shown[] {
  const fit: Shown[] = [];
  let bytes = 0;
  for (const line of lines) {
    const shown = show(line);
    bytes += Buffer.byteLength(JSON.stringify(shown)) + 1;
    if (bytes > maxBytes && fit.length > 0) break;
    fit.push(shown);
  }
  return fit;
}
