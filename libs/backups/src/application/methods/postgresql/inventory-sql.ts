import { BackupFailed } from '../../../domain/backup-errors.js';
import type { Inventory } from '../../../domain/inventory.js';

/** Leaves out objects that belong to an extension, because the extension creates them and not the dump. */
const notOfExtension = (catalog: string, oid: string) =>
  `not exists (select 1 from pg_depend x where x.classid = '${catalog}'::regclass and x.objid = ${oid} and x.deptype = 'e')`;

const OWN_SCHEMAS = `(select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')`;

const OWN_TABLES = `
  (select c.oid, c.relname, c.relkind, n.nspname from pg_class c join ${OWN_SCHEMAS} n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and ${notOfExtension('pg_class', 'c.oid')})`;

/** Locks every table until the transaction ends, also against TRUNCATE, which ignores snapshots. */
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

/** A digest that does not depend on the order of rows, which is another one in a restored table. */
const DIGEST = `(select 'coalesce(sum(hashtextextended(row(' ||
      coalesce(string_agg(quote_ident(attname), ', ' order by attname collate "C"), '') || ')::text, 0)), 0)'
    from pg_attribute where attrelid = t.oid and attnum > 0 and not attisdropped and attgenerated = '')`;

/** Where the hash of a value is not the same in another server, its row moves to another part of the table. */
const IN_HASHED = `exists (select from pg_partition_ancestors(t.oid) above
  join pg_partitioned_table p on p.partrelid = above.relid and p.partstrat = 'h' where above.relid <> t.oid)`;
const IS_HASHED = `t.oid in (select partrelid from pg_partitioned_table where partstrat = 'h')`;

/** What counting a table locks, such as its indexes, is let go of: a server has room for so many locks. */
const rows = (digest: string) => `
  select 'savepoint counted', format('select ''rows'' || chr(9) || %L || chr(9) || count(*) || chr(9) || %s from %s %I.%I',
                to_json(nspname || '.' || relname)::text, ${digest}, case relkind when 'r' then 'only' end, nspname, relname),
         'rollback to savepoint counted'
    from ${OWN_TABLES} t where (relkind = 'r' or ${IS_HASHED}) and not ${IN_HASHED} \\gexec`;

/** Settings that make values print in the same way on every server: the owner of a service may have changed them. */
const ONE_WAY = `
  set timezone = 'UTC'; set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
  set extra_float_digits = 1; set lc_monetary = 'C'; set xmlbinary = 'base64'; set search_path = pg_catalog;
  set quote_all_identifiers = off;`;

/** Prints the size of the tables and the large objects on disk, in bytes. */
export const DATA_BYTES = `select coalesce(sum(pg_table_size(oid)), 0) + pg_table_size('pg_largeobject')
  from ${OWN_TABLES} t where relkind = 'r';`;

/** Digest of large objects. Zeros at the end of a page are left out, because a hole is restored as zeros. */
const LARGE_OBJECTS = `
  select format('select ''contents'' || chr(9) || ''large objects'' || chr(9)
      || coalesce(sum(hashtextextended(loid || %L || pageno || %L || encode(trimmed, %L), 0)), 0)
    from (select loid, pageno, rtrim(data, decode(%L, %L)) as trimmed from pg_largeobject) pages
    where trimmed <> %L', '.', '.', 'hex', '00', 'hex', '')
   where has_table_privilege('pg_largeobject', 'select') \\gexec`;

/** Prints the value of each sequence. Sequences are not part of snapshots, so one in use has changed since. */
export const SEQUENCES = `
  select format('select ''sequence'' || chr(9) || %L || chr(9) || last_value || chr(9) || is_called from %I.%I',
                to_json(nspname || '.' || relname)::text, nspname, relname)
    from ${OWN_TABLES} t where relkind = 'S' \\gexec`;

/**
 * Prints one line for each kind of objects, each table and each sequence, for psql without alignment, in a transaction.
 * @param withContents adds a digest of the contents of each table
 */
export function inventorySql(withContents: boolean): string {
  const contents = withContents ? `${rows(DIGEST)}\n${LARGE_OBJECTS}` : rows(`'null'`);
  return `${ONE_WAY}\n${OBJECTS};\n${contents}\n${SEQUENCES}`;
}

/** @throws BackupFailed when a line has another form */
export function parseInventory(lines: readonly string[], withContents: boolean): Inventory {
  const objects: Record<string, number> = {};
  const rows: Record<string, number> = {};
  const contents: Record<string, string> = {};
  for (const line of lines.filter((each) => each !== '' && !each.startsWith('sequence\t'))) {
    const [what, name = '', figure = '', digest = ''] = line.split('\t');
    if (!/^-?\d+$/.test(figure)) throw new BackupFailed('The database could not be counted.');
    if (what === 'object') objects[name] = Number(figure);
    else if (what === 'contents') contents[name] = figure;
    else {
      const table = String(JSON.parse(name));
      rows[table] = Number(figure);
      contents[table] = digest;
    }
  }
  return { objects, rows, contents: withContents ? contents : null, sequences: parseSequences(lines) };
}

export function parseSequences(lines: readonly string[]): Readonly<Record<string, string>> {
  const found = lines.map((line) => line.split('\t')).filter(([what]) => what === 'sequence');
  return Object.fromEntries(
    found.map(([, name = '', value = '', isCalled]) => [
      String(JSON.parse(name)),
      // The value was set but has not been returned yet.
      isCalled === 'true' || isCalled === 't' ? value : `${value}, which comes next`,
    ]),
  );
}
