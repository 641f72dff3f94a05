import type { Client } from 'pg';
import type { ArchiveTable } from './archive-format.js';

/** System schemas, and the schema of the job queue, which is rebuilt from the rows that its jobs belong to. */
const SKIPPED = ['pg_catalog', 'information_schema', 'pg_toast', 'bullmq'];
const OWN = `n.nspname <> all ($1) and n.nspname not like 'pg\\_temp%' and n.nspname not like 'pg\\_toast%'
  and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  and (n.nspname, c.relname) <> ('public', 'migrations')`;

export async function ownTables(client: Client): Promise<ArchiveTable[]> {
  const { rows } = await client.query<ArchiveTable>(
    `select format('%I.%I', n.nspname, c.relname) as name,
            array_agg(quote_ident(a.attname) order by a.attnum) as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relkind = 'r' and ${OWN}
      group by 1 order by 1`,
    [SKIPPED],
  );
  return rows;
}

/** The last value of each sequence; sequences that have not been used are left out. */
export async function ownSequences(client: Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as last
       from pg_sequences
      where schemaname <> all ($1) and last_value is not null and (schemaname, sequencename) <> ('public', 'migrations_id_seq')`,
    [SKIPPED],
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}

export interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

export async function ownForeignKeys(client: Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select format('%I.%I', n.nspname, c.relname) as table, quote_ident(k.conname) as name,
            pg_get_constraintdef(k.oid) as definition
       from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
      where k.contype = 'f' and k.conparentid = 0 and ${OWN}`,
    [SKIPPED],
  );
  return rows;
}

/** Whether the database has no tables and views apart from those of extensions. */
export async function isEmpty(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select exists (select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p', 'v', 'm') and n.nspname <> all ($1) and n.nspname not like 'pg\\_%'
         and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')) as found`,
    [SKIPPED.filter((schema) => schema !== 'bullmq')],
  );
  return rows[0]?.found === false;
}

/** Removes everything that a failed restore has created in a database that was empty before. */
export async function emptyAgain(client: Client): Promise<void> {
  const { rows } = await client.query<{ schema: string }>(
    `select quote_ident(nspname) as schema from pg_namespace
      where nspname not in ('public', 'information_schema') and nspname not like 'pg\\_%'`,
  );
  for (const { schema } of rows) await client.query(`drop schema ${schema} cascade`);
  await client.query('drop table if exists public.migrations cascade');
}
