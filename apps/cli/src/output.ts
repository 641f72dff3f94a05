import Table from 'cli-table3';

/** What a command tells: one JSON document for scripts, a table or a sentence for people. */
export interface CommandResult {
  readonly json: unknown;
  /** Column titles and rows, in the order of printing. */
  readonly table?: { readonly head: readonly string[]; readonly rows: readonly (readonly unknown[])[] };
  readonly text?: string;
}

export function printResult(result: CommandResult, asJson: boolean, out: NodeJS.WriteStream): void {
  if (asJson) {
    out.write(`${JSON.stringify(result.json)}\n`);
    return;
  }
  if (result.table) out.write(`${renderTable(result.table, out.isTTY)}\n`);
  if (result.text) out.write(`${result.text}\n`);
}

/** The JSON document of what was refused, has failed or could not be understood. */
export function printError(error: { readonly code: string; readonly message: string }, out: NodeJS.WriteStream): void {
  out.write(`${JSON.stringify({ error })}\n`);
}

function renderTable({ head, rows }: NonNullable<CommandResult['table']>, colours: boolean): string {
  const style = colours ? { head: ['cyan'], border: ['grey'] } : { head: [], border: [] };
  const table = new Table({ head: [...head], style });
  for (const row of rows) table.push(row.map(cellText));
  return table.toString();
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}
