import { escaped, fromHex, type LeftOut } from './mysql-tools.js';

const HAS_DEFINER = `v.security_type <> 'DEFINER' or v.definer in (select concat(user, '@', host) from mysql.user)`;

/**
 * Of `information_schema.views v`: one that can be read. The dump tool stops at others, of which MySQL says so in the
 * comment, and MariaDB has no columns.
 */
export function usableView(schema: string): string {
  return `v.table_schema = '${schema}' and (${HAS_DEFINER}) and v.table_name in
    (select t.table_name from information_schema.tables t
      where t.table_schema = '${schema}' and t.table_type = 'VIEW' and t.table_comment = 'VIEW')
    and v.table_name in (select c.table_name from information_schema.columns c where c.table_schema = '${schema}')`;
}

/** Views that refer to what does not exist, by name. */
export async function brokenViewsOf(schema: string, ask: (sql: string) => Promise<string[]>): Promise<string[]> {
  const usable = `select v.table_name from information_schema.views v where ${usableView(schema)}`;
  const lines = await ask(`select hex(convert(b.table_name using utf8mb4)) from information_schema.views b
    where b.table_schema = '${schema}' and b.table_name not in (${usable}) order by b.table_name;`);
  return lines.filter(Boolean).map(fromHex);
}

/** Tables whose earlier rows are numbered by transactions instead of times: the dump tool cannot write those, by name. */
export async function unwrittenHistories(schema: string, ask: (sql: string) => Promise<string[]>): Promise<string[]> {
  const lines = await ask(`select hex(convert(table_name using utf8mb4)) from information_schema.columns
    where table_schema = '${schema}' and generation_expression = 'ROW START' and data_type = 'bigint'
    order by table_name;`);
  return lines.filter(Boolean).map(fromHex);
}

export async function leftOutOf(schemas: readonly string[], ask: (sql: string) => Promise<string[]>): Promise<LeftOut> {
  const [views, histories]: [string[], string[]] = [[], []];
  for (const schema of schemas) {
    views.push(...(await brokenViewsOf(escaped(schema), ask)).map((name) => `${schema}.${name}`));
    histories.push(...(await unwrittenHistories(escaped(schema), ask)));
  }
  return { history: histories.length > 0, views };
}
