import { BackupFailed } from '../../../domain/backup-errors.js';
import type { Inventory } from '../../../domain/inventory.js';
import { usableView } from './left-out.js';
import { fromHex, quoted } from './mysql-tools.js';

/** Prints the number of objects of each kind. @param schema a name without quotes in it */
export function objectsOf(schema: string): string {
  const from = (what: string, table: string, column: string, more = '') =>
    `select '${what}', count(*) from information_schema.${table} where ${column} = '${schema}'${more}`;
  const views = `select table_name from information_schema.views where table_schema = '${schema}'`;
  return `${[
    from('table', 'tables', 'table_schema', " and table_type in ('BASE TABLE', 'SYSTEM VERSIONED')"),
    `select 'view', count(*) from information_schema.views v where ${usableView(schema)}`,
    from('sequence', 'tables', 'table_schema', " and table_type = 'SEQUENCE'"),
    from('column', 'columns', 'table_schema', ` and table_name not in (${views})`),
    from('index column', 'statistics', 'table_schema'),
    from('constraint', 'table_constraints', 'table_schema'),
    from('routine', 'routines', 'routine_schema'),
    from('trigger', 'triggers', 'trigger_schema'),
    // The server throws others away when they are made after their last time, which a restore may be.
    from(
      'event',
      'events',
      'event_schema',
      " and (on_completion = 'PRESERVE' or (execute_at is null and ends is null))",
    ),
  ].join('\nunion all ')};`;
}

/** A table whose rows a snapshot covers. */
export interface CoveredTable {
  readonly name: string;
  /** It keeps rows that were changed or deleted. */
  readonly hasHistory: boolean;
}

/** Prints the tables whose rows a snapshot covers, for `parseTables`. */
export function tablesOf(schema: string): string {
  return `select hex(convert(table_name using utf8mb4)), table_type = 'SYSTEM VERSIONED' from information_schema.tables
    where table_schema = '${schema}' and table_type in ('BASE TABLE', 'SYSTEM VERSIONED') and engine = 'InnoDB'
    order by table_name;`;
}

export function parseTables(lines: readonly string[]): CoveredTable[] {
  return lines.filter(Boolean).map((line) => {
    const [name = '', hasHistory] = line.split('\t');
    return { name: fromHex(name), hasHistory: hasHistory === '1' };
  });
}

/** Prints the server's estimate of the size of all tables on disk, in bytes. */
export function bytesOf(schema: string): string {
  return `select coalesce(sum(data_length), 0) from information_schema.tables where table_schema = '${schema}';`;
}

/** Prints each column whose values a dump contains: its table, its name, and 1 if a digest can be made of it. */
export function columnsOf(schema: string): string {
  return `select hex(convert(table_name using utf8mb4)), hex(convert(column_name using utf8mb4)),
      data_type not in ('geometry', 'point', 'linestring', 'polygon', 'multipoint', 'multilinestring', 'multipolygon',
                        'geometrycollection', 'geomcollection', 'vector')
    from information_schema.columns
    where table_schema = '${schema}' and coalesce(generation_expression, '') = ''
    order by table_name, column_name;`;
}

/** The columns by table; null for a table of which no digest can be made. */
export function parseColumns(lines: readonly string[]): ReadonlyMap<string, readonly string[] | null> {
  const columns = new Map<string, string[] | null>();
  for (const line of lines.filter(Boolean)) {
    const [table = '', name = '', isPlain] = line.split('\t');
    const known = columns.get(fromHex(table));
    columns.set(fromHex(table), isPlain !== '1' || known === null ? null : [...(known ?? []), fromHex(name)]);
  }
  return columns;
}

/** A digest that does not depend on the order of rows. Values are digested as the text that a dump contains. */
function digestOf(columns: readonly string[]): string {
  const values = columns.map((name) => `coalesce(crc32(cast(${quoted(name)} as binary)), '-')`);
  return `coalesce(sum(crc32(concat_ws(',', ${values.join(', ')}))), 0)`;
}

/**
 * Prints for each table its index in `tables`, the number of its rows with their history, and a digest of their contents.
 * @param columns by table, see `parseColumns`; null: rows are only counted
 */
export function rowsOf(
  schema: string,
  tables: readonly CoveredTable[],
  columns: ReadonlyMap<string, readonly string[] | null> | null,
): string {
  const select = ({ name, hasHistory }: CoveredTable, at: number) => {
    const known = columns?.get(name);
    const rows = `${quoted(schema)}.${quoted(name)}${hasHistory ? ' for system_time all' : ''}`;
    return `select ${at}, count(*), ${known ? digestOf(known) : "'-'"} from ${rows};`;
  };
  return [`set time_zone = '+00:00';`, ...tables.map(select)].join('\n');
}

export function parseObjects(lines: readonly string[]): Inventory['objects'] {
  const objects: Record<string, number> = {};
  for (const line of lines.filter(Boolean)) {
    const [name = '', figure] = line.split('\t');
    if (count(figure) > 0) objects[name] = count(figure);
  }
  return objects;
}

export function parseRows(
  lines: readonly string[],
  tables: readonly CoveredTable[],
): { readonly rows: Readonly<Record<string, number>>; readonly contents: Readonly<Record<string, string>> | null } {
  const found = lines.filter(Boolean).map((line) => line.split('\t'));
  if (found.length !== tables.length) throw new BackupFailed('The database could not be counted.');
  const nameOf = (at: string | undefined) => tables[Number(at)]?.name ?? '';
  const isWhole = found.every(([, , digest]) => digest !== '-');
  return {
    rows: Object.fromEntries(found.map(([at, figure]) => [nameOf(at), count(figure)])),
    contents: isWhole ? Object.fromEntries(found.map(([at, , digest = '']) => [nameOf(at), digest])) : null,
  };
}

function count(figure: string | undefined): number {
  if (!figure || !/^\d+$/.test(figure)) throw new BackupFailed('The database could not be counted.');
  return Number(figure);
}
