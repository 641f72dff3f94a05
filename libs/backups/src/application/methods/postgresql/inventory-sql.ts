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

const ROWS = `
  select format('select ''rows'' || chr(9) || %L || chr(9) || count(*) from only %I.%I',
                to_json(nspname || '.' || relname)::text, nspname, relname)
    from ${OWN_TABLES} t where relkind = 'r' \\gexec`;

/** For psql without alignment: a line for each kind of objects and for each table. */
export const INVENTORY = `${OBJECTS};\n${ROWS}`;

/** @throws BackupFailed for lines of another form */
export function parseInventory(lines: readonly string[]): Inventory {
  const objects: Record<string, number> = {};
  const rows: Record<string, number> = {};
  for (const line of lines.filter(Boolean)) {
    const [what, name = '', figure = ''] = line.split('\t');
    if (!/^\d+$/.test(figure)) throw new BackupFailed('The database could not be counted.');
    if (what === 'object') objects[name] = Number(figure);
    else rows[String(JSON.parse(name))] = Number(figure);
  }
  return { objects, rows };
}
