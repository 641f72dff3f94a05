import type { DatabaseTraits } from '../../../domain/inventory.js';

/** One line of JSON. A server knows its own columns of `pg_database` alone, so that they are taken by their names. */
export const TRAITS = `
  select json_build_object(
    'encoding', pg_encoding_to_char(d.encoding),
    'locale', json_build_object(
      'provider', case d.datlocprovider when 'i' then 'icu' when 'c' then 'libc' else 'builtin' end,
      'collate', d.datcollate, 'ctype', d.datctype,
      'icuLocale', coalesce(to_jsonb(d) ->> 'daticulocale', to_jsonb(d) ->> 'datlocale'),
      'icuRules', to_jsonb(d) ->> 'daticurules'),
    'roles', (select coalesce(json_agg(json_build_object('name', rolname, 'isSuperuser', rolsuper) order by rolname), '[]')
      from pg_roles r where rolname !~ '^pg_' and rolname <> current_user and exists (select 1 from pg_shdepend u
        where u.dbid = d.oid and u.refclassid = 'pg_authid'::regclass and u.refobjid = r.oid)),
    'settings', (select coalesce(json_agg(json_build_object('role', rolname, 'setting', setting)), '[]')
      from pg_db_role_setting s left join pg_roles r on r.oid = s.setrole, unnest(s.setconfig) setting
      where s.setdatabase = d.oid and split_part(setting, '=', 1) not like '%.%' and (s.setrole = 0 or rolname is not null))
  ) from pg_database d where datname = current_database();`;

export function parseTraits([line = '']: readonly string[]): DatabaseTraits {
  return JSON.parse(line) as DatabaseTraits;
}

export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Statements that make an empty database of the same kind, and the roles that the server lacks: nobody can log in as one. */
export function creationOf(name: string, traits: DatabaseTraits | undefined): string {
  if (!traits) return `create database ${name} template template0;`;
  const { encoding, locale, roles } = traits;
  const icu = [
    ...(locale.icuLocale === null ? [] : [`icu_locale ${literal(locale.icuLocale)}`]),
    ...(locale.icuRules === null ? [] : [`icu_rules ${literal(locale.icuRules)}`]),
  ];
  const options = [
    `encoding ${literal(encoding)} lc_collate ${literal(locale.collate)} lc_ctype ${literal(locale.ctype)}`,
    ...(locale.provider === 'icu' ? ['locale_provider icu', ...icu] : []),
  ];
  return [
    ...roles.map(({ name: role, isSuperuser }) => missingRole(role, isSuperuser)),
    `create database ${name} template template0 ${options.join(' ')};`,
  ].join('\n');
}

/** Some things can be owned by superusers alone. */
function missingRole(role: string, isSuperuser: boolean): string {
  return `select format('create role %I nologin ${isSuperuser ? 'superuser' : ''}', ${literal(role)})
    where not exists (select from pg_roles where rolname = ${literal(role)}) \\gexec`;
}

/** A database cannot be dropped while these hold it. Prints what there is. */
export function holdsOf(database: string): string {
  return `select 'subscriptions' from pg_subscription s join pg_database d on d.oid = s.subdbid where datname = '${database}'
    union select 'prepared transactions' from pg_prepared_xacts where database = '${database}'
    union select 'replication slots' from pg_replication_slots where database = '${database}';`;
}

/**
 * Gives the copy what the database that it replaces has: owner, privileges, comment, limit and settings. Where that one has no
 * settings, those of the dump are taken.
 */
export function inheritance(from: string, to: string, traits: DatabaseTraits | undefined): string {
  const old = `from pg_database where datname = '${from}'`;
  const oid = (name: string) => `(select oid from pg_database where datname = '${name}')`;
  const settings = (traits?.settings ?? []).map(
    ({ role, setting }) => `(${role === null ? 'null' : literal(role)}, ${literal(setting)})`,
  );
  return `
    select format('alter database %I owner to %I', '${to}', pg_get_userbyid(datdba)) ${old} \\gexec
    select format('alter database %I connection limit %s', '${to}', datconnlimit) ${old} \\gexec
    select format('comment on database %I is %L', '${to}', shobj_description(oid, 'pg_database')) ${old} \\gexec
    select format('revoke all on database %I from public', '${to}') ${old} and datacl is not null \\gexec
    select format('grant %s on database %I to %s %s', privilege_type, '${to}',
        case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end,
        case when is_grantable then 'with grant option' end)
      ${old.replace('from pg_database', 'from pg_database, aclexplode(datacl)')} \\gexec
    update pg_db_role_setting set setdatabase = ${oid(to)} where setdatabase = ${oid(from)};
    ${settings.length === 0 ? '' : ownSettings(settings, oid(to))}`;
}

/** Written as the server keeps them: the statement for it would need each value in another form. */
function ownSettings(settings: readonly string[], database: string): string {
  return `insert into pg_db_role_setting (setdatabase, setrole, setconfig)
    select ${database}, coalesce(r.oid, 0), array_agg(setting) from (values ${settings.join(', ')}) given (role, setting)
      left join pg_roles r on rolname = role
     where (role is null or r.oid is not null)
       and not exists (select from pg_db_role_setting where setdatabase = ${database})
     group by 2;`;
}
