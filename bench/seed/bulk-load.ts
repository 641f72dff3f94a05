import type { Pool } from 'pg';

interface Definition {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

const SCHEMAS = ['partners', 'tokens', 'customers', 'billing', 'licensing', 'license_service'];

const CONSTRAINTS = `
  select c.conrelid::regclass::text as table, c.conname as name, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_namespace n on n.oid = c.connamespace
   where n.nspname = any($1) and c.contype = any($2) and c.conrelid <> 0 order by 1, 2`;

const INDEXES = `
  select i.indrelid::regclass::text as table, i.indexrelid::regclass::text as name,
         pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
   where n.nspname = any($1) and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid) order by 1, 2`;

/**
 * Loads without keys and indexes and creates them afterwards, which is many times faster than maintaining them row by
 * row. Creating them checks every row.
 */
export async function bulkLoad(pool: Pool, load: () => Promise<void>, say: (text: string) => void): Promise<void> {
  const read = async (sql: string, ...values: unknown[]) => (await pool.query<Definition>(sql, values)).rows;
  const foreign = await read(CONSTRAINTS, SCHEMAS, ['f']);
  const keys = await read(CONSTRAINTS, SCHEMAS, ['p', 'u', 'x']);
  const indexes = await read(INDEXES, SCHEMAS);
  for (const { table, name } of [...foreign, ...keys])
    await pool.query(`alter table ${table} drop constraint "${name}"`);
  for (const { name } of indexes) await pool.query(`drop index ${name}`);
  await load();
  say('making indexes ...');
  const add = ({ table, name, definition }: Definition) =>
    `alter table ${table} add constraint "${name}" ${definition}`;
  await inParallel(pool, keys.map(add));
  await inParallel(
    pool,
    indexes.map(({ definition }) => definition),
  );
  // One at a time: two foreign keys to the same table would wait for each other's locks.
  for (const key of foreign) await pool.query(add(key));
  await pool.query('vacuum (analyze)');
}

/** Two at a time, as many as the machine is assumed to have cores. */
async function inParallel(pool: Pool, statements: readonly string[]): Promise<void> {
  const waiting = [...statements];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await pool.query(next);
  };
  await Promise.all([work(), work()]);
}
