import { BackupFailed } from '../../../domain/backup-errors.js';
import type { Inventory } from '../../../domain/inventory.js';

/** What belongs to an extension comes with the extension and not with the dump. */
const notOfExtension = (catalog: string, oid: string) =>
  `not exists (select 1 from pg_depend x where x.classid = '${catalog}'::regclass and x.objid = ${oid} and x.deptype = 'e')`;

const OWN_SCHEMAS = `(select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')`;

const OWN_TABLES = `
  (select c.oid, c.relname, c.relkind, n.nspname from pg_class c join ${OWN_SCHEMAS} n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and ${notOfExtension('pg_class', 'c.oid')})`;

/** Keeps every table as it is, also against TRUNCATE, which looks past snapshots, until the transaction ends. */
export const LOCK_TABLES = `
  select format('lock table only %I.%I in access share mode', nspname, relname) from ${OWN_TABLES} t
   where relkind = 'r' \\gexec`;

const OBJECTS = `
  select 'object' || chr(9) || kind || chr(9) || count(*) from (
    select case t.relkind when 'r' then 'table' when 'p' then 'partitioned table' when 'v' then 'view'
             when 'm' then 'materialized view' when 'S' then 'sequence' else 'foreign table' end as kind
      from ${OWN_TABLES} t
    union all select 'schema' from ${OWN_SCHEMAS} n where nspname <> 'public' and ${notOfExtension('pg_namespace', 'n.oid')}
    union all select 'index' from pg_index i join ${OWN_TABLES} t on t.oid = i.indrelid where i.indisvalid
    union all select 'constraint' from pg_constraint k join ${OWN_TABLES} t on t.oid = k.conrelid
      where k.contype in ('c', 'f', 'p', 'u', 'x')
    union all select 'trigger' from pg_trigger g join ${OWN_TABLES} t on t.oid = g.tgrelid where not g.tgisinternal
    union all select 'policy' from pg_policy p join ${OWN_TABLES} t on t.oid = p.polrelid
    union all select 'function' from pg_proc f join ${OWN_SCHEMAS} n on n.oid = f.pronamespace
      where ${notOfExtension('pg_proc', 'f.oid')}
    union all select 'type' from pg_type y join ${OWN_SCHEMAS} n on n.oid = y.typnamespace
      where y.typtype in ('e', 'd', 'r') and ${notOfExtension('pg_type', 'y.oid')}
    union all select 'extension' from pg_extension where extname <> 'plpgsql'
    union all select 'large object' from pg_largeobject_metadata
  ) all_objects group by kind`;

/** In any order, because a restored table has another one. */
const DIGEST = `(select 'coalesce(sum(hashtextextended(row(' ||
      coalesce(string_agg(quote_ident(attname), ', ' order by attname collate "C"), '') || ')::text, 0)), 0)'
    from pg_attribute where attrelid = t.oid and attnum > 0 and not attisdropped and attgenerated = '')`;

const rows = (digest: string) => `
  select format('select ''rows'' || chr(9) || %L || chr(9) || count(*) || chr(9) || %s from only %I.%I',
                to_json(nspname || '.' || relname)::text, ${digest}, nspname, relname)
    from ${OWN_TABLES} t where relkind = 'r' \\gexec`;

/** Values are written the same way in the server of a service, whose owner may have set these, and in one for a trial. */
const ONE_WAY = `
  set timezone = 'UTC'; set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
  set extra_float_digits = 1; set lc_monetary = 'C'; set xmlbinary = 'base64'; set search_path = pg_catalog;
  set quote_all_identifiers = off;`;

/** What the tables take on the disk, in bytes. */
export const TABLE_BYTES = `select coalesce(sum(pg_table_size(oid)), 0) from ${OWN_TABLES} t where relkind = 'r';`;

/**
 * For psql without alignment: a line for each kind of objects and for each table.
 * @param withContents adds a digest of what a table holds
 */
export function inventorySql(withContents: boolean): string {
  return `${ONE_WAY}\n${OBJECTS};\n${rows(withContents ? DIGEST : `'null'`)}`;
}

/** @throws BackupFailed for lines of another form */
export function parseInventory(lines: readonly string[], withContents: boolean): Inventory {
  const objects: Record<string, number> = {};
  const rows: Record<string, number> = {};
  const contents: Record<string, string> = {};
  for (const line of lines.filter(Boolean)) {
    const [what, name = '', figure = '', digest = ''] = line.split('\t');
    if (!/^\d+$/.test(figure)) throw new BackupFailed('The database could not be counted.');
    if (what === 'object') objects[name] = Number(figure);
    else {
      const table = String(JSON.parse(name));
      rows[table] = Number(figure);
      contents[table] = digest;
    }
  }
  return { objects, rows, contents: withContents ? contents : null };
}
