import CliTable from 'cli-table3';
import { fit } from './fit-table.js';

export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** The output of a command: one JSON document for scripts, a table or a sentence for people. */
export interface CommandResult {
  readonly json: unknown;
  /** Column titles and rows, in the order of printing. */
  readonly table?: Table;
  readonly text?: string;
}

export function printResult(result: CommandResult, asJson: boolean, out: NodeJS.WriteStream, wide = false): void {
  if (asJson) {
    out.write(`${JSON.stringify(result.json)}\n`);
    return;
  }
  if (result.table)
    out.write(`${renderTable(result.table, out.isTTY, out.isTTY && !wide ? out.columns : undefined)}\n`);
  if (result.text) out.write(`${result.text}\n`);
}

/** The JSON document of an error. */
export function printError(error: { readonly code: string; readonly message: string }, out: NodeJS.WriteStream): void {
  out.write(`${JSON.stringify({ error })}\n`);
}

/** @param columns width of the terminal; undefined for no limit */
function renderTable({ head, rows }: Table, colours: boolean, columns: number | undefined): string {
  const style = colours ? { head: ['cyan'], border: ['grey'] } : { head: [], border: [] };
  const fitted = fit({ head, rows: rows.map((row) => row.map(cellText)) }, columns);
  const narrowed = fitted.widths ? { colWidths: fitted.widths, wordWrap: true, wrapOnWordBoundary: false } : {};
  const table = new CliTable({ head: [...head], style, ...narrowed });
  for (const row of fitted.rows) table.push([...row]);
  return table.toString();
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}
