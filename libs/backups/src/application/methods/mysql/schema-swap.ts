import type { DatabasePrograms } from '../../programs/database-programs.js';
import type { DatabaseTarget } from '../../programs/database-target.js';
import { fromHex } from './inventory-sql.js';
import { clientOf, definitionsOf, type MysqlTools, quoted } from './mysql-tools.js';

export const RESTORING = 'panel_restoring';
const REPLACED = 'panel_replaced';

/** What a schema holds besides the rows of its tables. */
interface Contents {
  readonly tables: readonly string[];
  readonly views: readonly string[];
  readonly triggers: readonly string[];
  readonly routines: readonly { readonly kind: string; readonly name: string }[];
  readonly events: readonly string[];
  /** Statements that make all of it but the tables again. */
  readonly definitions: readonly string[];
}

/**
 * Puts a restored schema into the place of the service's own. The server cannot rename a schema, and moves no table that
 * has triggers: tables of both change places in one statement, everything else is made anew from its definition.
 */
export class SchemaSwap {
  constructor(
    private readonly programs: DatabasePrograms,
    private readonly tools: MysqlTools,
  ) {}

  /** An empty schema of the same character set. */
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
    // As a whole in the hands of the client before it begins: it goes on when this worker dies.
    const script = [
      `create database ${REPLACED};`,
      bare(database, before),
      bare(RESTORING, after),
      exchange(database, before.tables, after.tables),
      `use ${quoted(database)};`,
      ...after.definitions,
      `drop database ${REPLACED}; drop database ${RESTORING};`,
    ];
    try {
      await this.run(target, script.join('\n'), signal);
    } catch (error) {
      await this.undo(target, before, after, signal);
      throw error;
    }
  }

  /** Tables that are still in the schema of the replaced ones belong to the service: they are not thrown away. */
  async tidy(target: DatabaseTarget, signal: AbortSignal): Promise<void> {
    const { database } = target.input;
    const [replaced, own] = [await this.tables(target, REPLACED, signal), await this.tables(target, database, signal)];
    if (replaced.length > 0 && own.length === 0)
      await this.run(target, `set foreign_key_checks = 0; ${moved(REPLACED, database, replaced)}`, signal);
    await this.run(target, `drop database if exists ${RESTORING}; drop database if exists ${REPLACED};`, signal);
  }

  private async undo(target: DatabaseTarget, before: Contents, after: Contents, signal: AbortSignal): Promise<void> {
    const { database } = target.input;
    const hasMoved = (await this.tables(target, REPLACED, signal)).length > 0 || before.tables.length === 0;
    const isThere = new Set(await this.tables(target, database, signal));
    const own = hasMoved ? after.tables.filter((name) => isThere.has(name)) : [];
    const now = await this.read(target, database, signal);
    await this.run(target, bare(database, now), signal);
    if (hasMoved) await this.run(target, `set foreign_key_checks = 0; ${back(database, own, before.tables)}`, signal);
    await this.define(target, database, before.definitions, signal);
  }

  private async define(target: DatabaseTarget, schema: string, texts: readonly string[], signal: AbortSignal) {
    for (const text of texts) await this.programs.text(target, clientOf(this.tools, schema), signal, text);
  }

  private async read(target: DatabaseTarget, schema: string, signal: AbortSignal): Promise<Contents> {
    const list = (column: string, table: string, where: string) => this.names(target, column, table, where, signal);
    const views = await list('table_name', 'views', `table_schema = '${schema}'`);
    const ofKind = async (kind: string) =>
      (await list('routine_name', 'routines', `routine_schema = '${schema}' and routine_type = '${kind}'`)).map(
        (name) => ({ kind, name }),
      );
    const dump = (names: readonly string[] | null) =>
      this.programs.text(target, definitionsOf(this.tools, schema, names), signal);
    return {
      tables: await this.tables(target, schema, signal),
      views,
      triggers: await list('trigger_name', 'triggers', `trigger_schema = '${schema}'`),
      routines: [...(await ofKind('PROCEDURE')), ...(await ofKind('FUNCTION'))],
      events: await list('event_name', 'events', `event_schema = '${schema}'`),
      definitions: [await dump(null), ...(views.length === 0 ? [] : [await dump(views)])],
    };
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

/** Leaves nothing but tables. */
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
  const pairs = [...pairsOf(database, REPLACED, before), ...pairsOf(RESTORING, database, after)];
  return pairs.length === 0 ? '' : `set foreign_key_checks = 0; rename table ${pairs.join(', ')};`;
}

function back(database: string, after: readonly string[], before: readonly string[]): string {
  const pairs = [...pairsOf(database, RESTORING, after), ...pairsOf(REPLACED, database, before)];
  return pairs.length === 0 ? '' : `rename table ${pairs.join(', ')};`;
}

function moved(from: string, to: string, tables: readonly string[]): string {
  return `rename table ${pairsOf(from, to, tables).join(', ')};`;
}

function pairsOf(from: string, to: string, tables: readonly string[]): string[] {
  return tables.map((name) => `${quoted(from)}.${quoted(name)} to ${quoted(to)}.${quoted(name)}`);
}
