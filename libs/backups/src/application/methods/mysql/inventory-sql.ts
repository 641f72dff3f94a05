import { BackupFailed } from '../../../domain/backup-errors.js';
import type { Inventory } from '../../../domain/inventory.js';
import { quoted } from './mysql-tools.js';

/** A line for each kind of objects of a database. @param schema a name without quotes in it */
export function objectsOf(schema: string): string {
  const from = (what: string, table: string, column: string, more = '') =>
    `select '${what}', count(*) from information_schema.${table} where ${column} = '${schema}'${more}`;
  return `${[
    from('table', 'tables', 'table_schema', " and table_type in ('BASE TABLE', 'SYSTEM VERSIONED')"),
    from('view', 'views', 'table_schema'),
    from('sequence', 'tables', 'table_schema', " and table_type = 'SEQUENCE'"),
    from('column', 'columns', 'table_schema'),
    from('index column', 'statistics', 'table_schema'),
    from('constraint', 'table_constraints', 'table_schema'),
    from('routine', 'routines', 'routine_schema'),
    from('trigger', 'triggers', 'trigger_schema'),
    from('event', 'events', 'event_schema'),
  ].join('\nunion all ')};`;
}

/** The tables whose rows a snapshot covers, by name in hexadecimal digits. */
export function tablesOf(schema: string): string {
  return `select hex(convert(table_name using utf8mb4)) from information_schema.tables
    where table_schema = '${schema}' and table_type in ('BASE TABLE', 'SYSTEM VERSIONED') and engine = 'InnoDB'
    order by table_name;`;
}

/** A line for each table: its number in the list, then its rows. */
export function rowsOf(schema: string, tables: readonly string[]): string {
  return tables.map((name, at) => `select ${at}, count(*) from ${quoted(schema)}.${quoted(name)};`).join('\n');
}

export const fromHex = (text: string): string => Buffer.from(text.trim(), 'hex').toString('utf8');

export function parseObjects(lines: readonly string[]): Inventory['objects'] {
  const objects: Record<string, number> = {};
  for (const line of lines.filter(Boolean)) {
    const [name = '', figure] = line.split('\t');
    if (count(figure) > 0) objects[name] = count(figure);
  }
  return objects;
}

export function parseRows(lines: readonly string[], tables: readonly string[]): Readonly<Record<string, number>> {
  const pairs = lines.filter(Boolean).map((line) => line.split('\t'));
  if (pairs.length !== tables.length) throw new BackupFailed('The database could not be counted.');
  return Object.fromEntries(pairs.map(([at, figure]) => [tables[Number(at)] ?? '', count(figure)]));
}

function count(figure: string | undefined): number {
  if (!figure || !/^\d+$/.test(figure)) throw new BackupFailed('The database could not be counted.');
  return Number(figure);
}
