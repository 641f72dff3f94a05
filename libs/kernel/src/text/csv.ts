export type CsvCell = string | number | null;

/**
 * One RFC 4180 record, ended by CRLF. Null is an empty cell. A text that a spreadsheet would run as a formula (it
 * begins with = + - @, a tab or a carriage return) gets a leading apostrophe; numbers are written as they are.
 */
export function csvRecord(cells: readonly CsvCell[]): string {
  let record = '';
  for (let index = 0; index < cells.length; index++) {
    if (index > 0) record += ',';
    record += csvCell(cells[index] ?? null);
  }
  return `${record}\r\n`;
}

/** One cell, without the separating comma. */
export function csvCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
