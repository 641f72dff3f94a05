interface Cells {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface FittedTable {
  readonly rows: readonly (readonly string[])[];
  /** Undefined if every column fits. */
  readonly widths: number[] | undefined;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
/** Two spaces around the text. */
const PADDING = 2;
const NARROWEST = 8;

/** Fits a table into the width of the terminal: shortens ids first, then wraps the widest columns. */
export function fit({ head, rows }: Cells, columns: number | undefined): FittedTable {
  if (columns === undefined || total(widthsOf(head, rows)) <= columns) return { rows, widths: undefined };
  // Keep the end: ids begin with the time, so only their ends differ.
  const shortened = rows.map((row) => row.map((cell) => (UUID.test(cell) ? `…${cell.slice(-12)}` : cell)));
  const widths = widthsOf(head, shortened);
  while (total(widths) > columns) {
    const widest = widths.indexOf(Math.max(...widths));
    const width = widths[widest] ?? 0;
    if (width <= NARROWEST) break;
    widths[widest] = width - 1;
  }
  return { rows: shortened, widths };
}

function widthsOf(head: readonly string[], rows: readonly (readonly string[])[]): number[] {
  return head.map((title, i) => {
    const lines = [title, ...rows.flatMap((row) => (row[i] ?? '').split('\n'))];
    return Math.max(...lines.map((line) => line.length)) + PADDING;
  });
}

/** With a border between all columns and around them. */
const total = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width, widths.length + 1);
