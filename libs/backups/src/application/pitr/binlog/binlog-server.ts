import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { BackupFailed } from '../../../domain/backup-errors.js';
import { type Inventory, joined } from '../../../domain/inventory.js';
import { numberOfFile } from '../../../domain/pitr/binlog/place.js';
import {
  objectsOf,
  parseObjects,
  parseRows,
  parseTables,
  rowsOf,
  tablesOf,
} from '../../methods/mysql/inventory-sql.js';
import { leftOutOf } from '../../methods/mysql/left-out.js';
import { clientOf, escaped, fromHex, type LeftOut, SYSTEM_SCHEMAS } from '../../methods/mysql/mysql-tools.js';
import { endSessions } from '../../methods/mysql/sessions.js';
import type { DatabasePrograms } from '../../programs/database-programs.js';
import type { DatabaseTarget } from '../../programs/database-target.js';
import type { BinlogTools } from './binlog-tools.js';

const TRIES = 20;
const PAUSE_MS = 50;
const SECOND_MS = 1000;
const NOW = 'floor(unix_timestamp(now(6)) * 1000)';
const CLOCK = `set time_zone = '+00:00'; select 'clock', ${NOW};`;

export interface BinlogFile {
  readonly name: string;
  readonly number: number;
  readonly bytes: number;
}

export interface BinlogStatus {
  /** Everything committed up to this moment is in the files, within the lengths given here. */
  readonly at: Date;
  /** Oldest first; the last one is being written. */
  readonly files: readonly BinlogFile[];
  readonly folder: string;
}

/** Reads the binary log of a server in its container. */
export class BinlogServer {
  constructor(
    private readonly programs: DatabasePrograms,
    private readonly tools: BinlogTools,
  ) {}

  /**
   * The files of the log at one moment. The log contains whole seconds only, so this look at it is repeated until it
   * starts and ends in the same second: otherwise a transaction in between could belong to either second.
   */
  async status(target: DatabaseTarget, signal: AbortSignal): Promise<BinlogStatus> {
    const script = `${CLOCK} select 'folder', @@log_bin_basename; show binary logs; select 'status';
      ${this.tools.status} select 'clock', ${NOW};`;
    for (let tries = 0; tries < TRIES; tries++) {
      const lines = (await this.run(target, script, signal)).split('\n').filter(Boolean);
      const status = statusOf(lines.map((line) => line.split('\t')));
      if (status) return status;
      await sleep(PAUSE_MS, undefined, { signal });
    }
    throw new BackupFailed('The database does not report its position in the binary log.');
  }

  async now(target: DatabaseTarget, signal: AbortSignal): Promise<Date> {
    const [, time = ''] = (await this.run(target, CLOCK, signal)).trim().split('\t');
    return new Date(Number(time));
  }

  /** By number of the file, when it was created: the timestamp of its first event as eight hexadecimal digits. */
  async made(
    target: DatabaseTarget,
    folder: string,
    files: readonly BinlogFile[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, string>> {
    const script = 'cd "$1"; shift; for file; do od -A n -t x4 -j 4 -N 4 -- "$file"; done';
    const command = ['sh', '-c', script, 'sh', folder, ...files.map(({ name }) => name)];
    const lines = (await this.programs.text(target, { command, environment: {} }, signal)).split('\n');
    return new Map(files.map(({ number }, at) => [number, (lines[at] ?? '').trim()]));
  }

  read(
    target: DatabaseTarget,
    file: string,
    { offset, bytes }: { readonly offset: number; readonly bytes: number },
    signal: AbortSignal,
  ): Promise<Readable> {
    const script = 'tail -c +"$2" -- "$1" | head -c "$3"';
    const command = ['sh', '-c', script, 'sh', file, String(offset + 1), String(bytes)];
    return this.programs.output(target, { command, environment: {} }, signal);
  }

  /** Names of all schemas except the server's own. */
  async schemas(target: DatabaseTarget, signal: AbortSignal): Promise<string[]> {
    const sql = `select hex(convert(schema_name using utf8mb4)) from information_schema.schemata
      where schema_name not in ${SYSTEM_SCHEMAS} order by 1;`;
    return (await this.run(target, sql, signal)).split('\n').filter(Boolean).map(fromHex);
  }

  /** What the dump tool would stop at. */
  leftOut(target: DatabaseTarget, schemas: readonly string[], signal: AbortSignal): Promise<LeftOut> {
    const ask = async (sql: string) => (await this.run(target, sql, signal)).split('\n');
    return leftOutOf(schemas, ask);
  }

  /** A table with an engine other than InnoDB, which cannot be copied consistently; null when there is none. */
  async tableWithoutTransactions(target: DatabaseTarget, signal: AbortSignal): Promise<string | null> {
    const sql = `select hex(convert(concat(table_schema, '.', table_name, ' (', engine, ')') using utf8mb4))
      from information_schema.tables where table_schema not in ${SYSTEM_SCHEMAS} and table_type = 'BASE TABLE'
      and engine <> 'InnoDB' order by 1 limit 1;`;
    const found = (await this.run(target, sql, signal)).trim();
    return found === '' ? null : fromHex(found);
  }

  /** Reads every row of every schema but the server's own. */
  async inspect(target: DatabaseTarget, signal: AbortSignal): Promise<Inventory> {
    const found: Inventory[] = [];
    for (const schema of await this.schemas(target, signal)) {
      const name = escaped(schema);
      const linesOf = async (sql: string) => (await this.run(target, sql, signal)).split('\n');
      const tables = parseTables(await linesOf(tablesOf(name)));
      const { rows } = parseRows(tables.length === 0 ? [] : await linesOf(rowsOf(schema, tables, null)), tables);
      found.push({ objects: parseObjects(await linesOf(objectsOf(name))), rows: within(schema, rows) });
    }
    return joined(found);
  }

  /** Ends all other connections of the user `root`, as which the panel connects. */
  endOthers(target: DatabaseTarget, signal: AbortSignal): Promise<void> {
    return endSessions((sql) => this.run(target, sql, signal), `user = 'root'`);
  }

  run(target: DatabaseTarget, sql: string, signal: AbortSignal): Promise<string> {
    return this.programs.text(target, clientOf(this.tools), signal, sql);
  }
}

function within(schema: string, rows: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(rows).map(([table, count]) => [`${schema}.${table}`, count]));
}

/** @returns null when a new file or a new second has begun in the meantime */
function statusOf(rows: readonly (readonly string[])[]): BinlogStatus | null {
  const [begin, basename, ...others] = rows;
  const end = others.pop();
  const current = others.pop();
  const separator = others.pop();
  const second = (row: readonly string[] | undefined) => Math.floor(Number(row?.[1]) / SECOND_MS);
  const [name = '', length] = current ?? [];
  if (separator?.[0] !== 'status' || others.at(-1)?.[0] !== name || second(begin) !== second(end)) return null;
  const files = others.map(([file = '', bytes]) => ({
    name: file,
    number: numberOfFile(file),
    bytes: Number(file === name ? length : bytes),
  }));
  const isPlain = files.every(({ number, bytes }) => Number.isSafeInteger(number) && Number.isSafeInteger(bytes));
  if (!isPlain) throw new BackupFailed('The database does not report its position in the binary log.');
  const path = basename?.[1] ?? '';
  return { at: new Date(Number(begin?.[1])), files, folder: path.slice(0, path.lastIndexOf('/')) };
}
