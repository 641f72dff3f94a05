import { fromHex, quoted } from './mysql-tools.js';

type Ask = (sql: string) => Promise<string[]>;

/** Marks a sequence that stands for another one while a dump is read. */
const PLACEHOLDER = 'made by the panel for a restore';

/** Those of MariaDB; MySQL has none. */
export async function sequenceNames(schema: string, ask: Ask, more = ''): Promise<string[]> {
  const lines = await ask(`select hex(convert(table_name using utf8mb4)) from information_schema.tables
    where table_schema = '${schema}' and table_type = 'SEQUENCE' ${more} order by table_name;`);
  return lines.filter(Boolean).map(fromHex);
}

/** Where each one stands. They are outside of snapshots: one that is in use has moved on. */
export async function sequencesOf(
  schema: string,
  names: readonly string[],
  ask: Ask,
): Promise<Readonly<Record<string, string>>> {
  if (names.length === 0) return {};
  const select = (name: string) => `select next_not_cached_value from ${quoted(schema)}.${quoted(name)};`;
  const values = (await ask(names.map(select).join('\n'))).filter(Boolean);
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']));
}

/**
 * A default that takes its value from a sequence names the schema too, and a table with it cannot be filled while the
 * schema lacks the sequence. @param names those of the dump
 */
export async function makePlaceholders(schema: string, names: readonly string[], ask: Ask): Promise<void> {
  const there = new Set(await sequenceNames(schema, ask));
  for (const name of names.filter((each) => !there.has(each)))
    await ask(`create sequence if not exists ${quoted(schema)}.${quoted(name)} comment '${PLACEHOLDER}';`);
}

export async function dropPlaceholders(schema: string, ask: Ask): Promise<void> {
  for (const name of await sequenceNames(schema, ask, `and table_comment = '${PLACEHOLDER}'`))
    await ask(`drop sequence ${quoted(schema)}.${quoted(name)};`);
}
