import type { Command } from '#libs/templates';
import { BackupFailed } from '../../../domain/backup-errors.js';
import type { DatabasePrograms } from '../../programs/database-programs.js';
import type { DatabaseTarget } from '../../programs/database-target.js';
import {
  BEGUN,
  begun,
  type BegunSwap,
  CLEARED,
  NOBODY_SWAPS,
  parseBegun,
  REPLACED,
  RESTORING,
  WHO_SWAPS,
} from './begun-swap.js';
import { brokenViewsOf } from './left-out.js';
import { clientOf, definitionsOf, fromHex, type MysqlTools, quoted, viewsOf } from './mysql-tools.js';
import { endSessions } from './sessions.js';

/** Otherwise the server waits a day for a transaction that somebody left open. */
const LOCK_WAIT_SECONDS = 30;

/** Names of the objects in a schema. */
interface Contents {
  readonly tables: readonly string[];
  readonly views: readonly string[];
  /** Those of the views that refer to what is gone: nothing can make them again. */
  readonly broken: readonly string[];
  readonly triggers: readonly string[];
  readonly routines: readonly { readonly kind: string; readonly name: string }[];
  readonly events: readonly string[];
}

/**
 * Replaces the service's schema with a restored one. The server can neither rename a schema nor move a table that has
 * triggers. So the tables of both schemas are exchanged in one statement, and everything else is created again from its
 * definition. Until the end, the server stores what is needed to undo the swap, because a worker can die at any moment.
 */
export class SchemaSwap {
  constructor(
    private readonly programs: DatabasePrograms,
    private readonly tools: MysqlTools,
  ) {}

  /** Creates the empty schema to restore into, with the character set and collation of the service's own. */
  async prepare(target: DatabaseTarget, signal: AbortSignal): Promise<void> {
    const sql = `select default_character_set_name, default_collation_name from information_schema.schemata
      where schema_name = '${target.input.database}';`;
    const [charset = 'utf8mb4', collation = 'utf8mb4_unicode_ci'] = (await this.run(target, sql, signal))
      .trim()
      .split('\t');
    await this.run(target, `create database ${RESTORING} character set ${charset} collate ${collation};`, signal);
  }

  async carryOut(target: DatabaseTarget, signal: AbortSignal): Promise<void> {
    const { database } = target.input;
    const [before, after] = [await this.read(target, database, signal), await this.read(target, RESTORING, signal)];
    const script = [
      `set session lock_wait_timeout = ${LOCK_WAIT_SECONDS};`,
      begun(after.tables, await this.definitions(target, database, before, signal)),
      `create database ${REPLACED};`,
      bare(database, before),
      bare(RESTORING, after),
      exchange(database, before.tables, after.tables),
      `use ${quoted(database)};`,
      await this.definitions(target, RESTORING, after, signal),
      CLEARED,
    ];
    await this.endClients(target, signal);
    await this.run(target, script.join('\n'), signal);
  }

  /** Undoes an unfinished swap, whichever worker began it, and removes what it left behind. */
  async tidy(target: DatabaseTarget, signal: AbortSignal): Promise<void> {
    await this.endOthers(target, signal);
    const begun = parseBegun(await this.run(target, BEGUN, signal));
    if (begun) await this.undo(target, begun, signal);
    await this.run(target, CLEARED, signal);
  }

  /** Ends the sessions of the service's users: an open transaction would keep its tables from being replaced. */
  private endClients(target: DatabaseTarget, signal: AbortSignal): Promise<void> {
    const { database, user } = target.input;
    return endSessions((sql) => this.run(target, sql, signal), `db = '${database}' or user = '${user}'`);
  }

  /** Ends the client of a worker that died: it may still be waiting for a table, or continue with its statements. */
  private async endOthers(target: DatabaseTarget, signal: AbortSignal): Promise<void> {
    const other = (await this.run(target, WHO_SWAPS, signal)).trim();
    // The connection may have ended by itself in the meantime.
    if (/^\d+$/.test(other)) await this.run(target, `kill ${other};`, signal).catch(() => undefined);
    if ((await this.run(target, NOBODY_SWAPS, signal)).trim() !== '1')
      throw new BackupFailed('The server is still at work on an earlier restore.');
  }

  /** Puts the service's own tables and definitions back. It can be repeated if it is interrupted. */
  private async undo(target: DatabaseTarget, begun: BegunSwap, signal: AbortSignal): Promise<void> {
    const { database } = target.input;
    const now = await this.read(target, database, signal);
    const waiting = new Set(await this.tables(target, RESTORING, signal));
    const restored = begun.restored.filter((name) => now.tables.includes(name) && !waiting.has(name));
    const replaced = await this.tables(target, REPLACED, signal);
    await this.endClients(target, signal);
    await this.run(target, `${bare(database, now)}${back(database, restored, replaced)}`, signal);
    await this.programs.text(target, clientOf(this.tools, database), signal, begun.definitions);
  }

  private async read(target: DatabaseTarget, schema: string, signal: AbortSignal): Promise<Contents> {
    const list = (column: string, table: string, where: string) => this.names(target, column, table, where, signal);
    const views = await list('table_name', 'views', `table_schema = '${schema}'`);
    const ofKind = async (kind: string) =>
      (await list('routine_name', 'routines', `routine_schema = '${schema}' and routine_type = '${kind}'`)).map(
        (name) => ({ kind, name }),
      );
    return {
      tables: await this.tables(target, schema, signal),
      views,
      broken: await brokenViewsOf(schema, async (sql) => (await this.run(target, sql, signal)).split('\n')),
      triggers: await list('trigger_name', 'triggers', `trigger_schema = '${schema}'`),
      routines: [...(await ofKind('PROCEDURE')), ...(await ofKind('FUNCTION'))],
      events: await list('event_name', 'events', `event_schema = '${schema}'`),
    };
  }

  /** Statements that create everything in the schema again except its tables and broken views. */
  private async definitions(target: DatabaseTarget, schema: string, { views, broken }: Contents, signal: AbortSignal) {
    const usable = views.filter((name) => !broken.includes(name));
    const ignored = broken.map((name) => `${schema}.${name}`);
    const dump = (command: Command) => this.programs.text(target, command, signal);
    return [
      await dump(definitionsOf(this.tools, schema, ignored)),
      ...(usable.length === 0 ? [] : [await dump(viewsOf(this.tools, schema, usable))]),
    ].join('\n');
  }

  private tables(target: DatabaseTarget, schema: string, signal: AbortSignal): Promise<readonly string[]> {
    return this.names(target, 'table_name', 'tables', `table_schema = '${schema}' and table_type <> 'VIEW'`, signal);
  }

  private async names(target: DatabaseTarget, column: string, table: string, where: string, signal: AbortSignal) {
    const sql = `select hex(convert(${column} using utf8mb4)) from information_schema.${table} where ${where} order by 1;`;
    return (await this.run(target, sql, signal)).split('\n').filter(Boolean).map(fromHex);
  }

  private run(target: DatabaseTarget, sql: string, signal: AbortSignal): Promise<string> {
    return this.programs.text(target, clientOf(this.tools), signal, sql);
  }
}

/** Statements that drop everything in a schema except its tables. */
function bare(schema: string, { triggers, views, routines, events }: Contents): string {
  const at = (name: string) => `${quoted(schema)}.${quoted(name)}`;
  return [
    ...triggers.map((name) => `drop trigger ${at(name)};`),
    ...events.map((name) => `drop event ${at(name)};`),
    ...views.map((name) => `drop view ${at(name)};`),
    ...routines.map(({ kind, name }) => `drop ${kind} ${at(name)};`),
    '',
  ].join('\n');
}

function exchange(database: string, before: readonly string[], after: readonly string[]): string {
  return renamed([...pairsOf(database, REPLACED, before), ...pairsOf(RESTORING, database, after)]);
}

function back(database: string, restored: readonly string[], replaced: readonly string[]): string {
  return renamed([...pairsOf(database, RESTORING, restored), ...pairsOf(REPLACED, database, replaced)]);
}

function renamed(pairs: readonly string[]): string {
  return pairs.length === 0 ? '' : `set foreign_key_checks = 0; rename table ${pairs.join(', ')};`;
}

function pairsOf(from: string, to: string, tables: readonly string[]): string[] {
  return tables.map((name) => `${quoted(from)}.${quoted(name)} to ${quoted(to)}.${quoted(name)}`);
}
