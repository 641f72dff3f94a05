import pg from 'pg';
import { createMigrationDataSource } from '#database/data-source';
import { migrateQueue } from '#platform/queue/migrate-queue';
import type { Stage } from '../lib/stage.js';
import { bulkLoad } from './bulk-load.js';
import { idOf } from './partner-tree.js';

export interface BillingWorld {
  readonly partners: number;
  readonly licensesEach: number;
  /** Licenses of each partner that are moved to somebody else on 10 January 2026 and back on the 20th. */
  readonly movedEach: number;
}

/** Every license covers the whole month: each is issued in 2025. */
export const MONTH = '2026-01';

/**
 * A separate database with the given number of partners, each with one metered contract. It is kept in the bench's
 * folder and reused.
 * @returns its URL
 */
export async function billingWorld(stage: Stage, world: BillingWorld): Promise<string> {
  const { partners, licensesEach, movedEach } = world;
  const name = `bench_billing_${partners}_${licensesEach}_${movedEach}`;
  const url = new URL(stage.options.databaseUrl);
  url.pathname = `/${name}`;
  const known = await stage.pool.query('select 1 from pg_database where datname = $1', [name]);
  if (known.rowCount) {
    await migrate(url.href);
    return url.href;
  }
  stage.options.say(`filling a database with ${partners} partners of ${licensesEach} licenses ...`);
  const unfinished = `${name}_new`;
  await stage.pool.query(`drop database if exists ${unfinished} with (force)`);
  await stage.pool.query(`create database ${unfinished}`);
  await fill(url.href.replace(name, unfinished), world);
  await stage.pool.query(`alter database ${unfinished} rename to ${name}`);
  return url.href;
}

async function fill(url: string, { partners, licensesEach, movedEach }: BillingWorld): Promise<void> {
  await migrate(url);
  const pool = new pg.Pool({ connectionString: url, max: 4, options: '-c timezone=UTC' });
  try {
    await bulkLoad(
      pool,
      async () => {
        for (const sql of [PARTNERS, SUBTREES, CUSTOMERS, CONTRACTS]) await pool.query(sql, [partners]);
        await pool.query(LICENSES, [partners, licensesEach]);
        await pool.query(EVENTS, [partners, licensesEach, movedEach]);
        // It looks for other spans of each license, and the indexes for that have been dropped.
        await pool.query('alter table licensing.ownership_spans disable trigger user');
        await pool.query(SPANS, [partners, licensesEach, movedEach]);
        await pool.query('alter table licensing.ownership_spans enable trigger user');
      },
      () => undefined,
    );
  } finally {
    await pool.end();
  }
}

async function migrate(url: string): Promise<void> {
  const migrations = await createMigrationDataSource(url).initialize();
  await migrations.runMigrations({ transaction: 'each' });
  await migrations.destroy();
  await migrateQueue(url);
}

/** Deletes every statement, including finalized ones, which only the owner of the tables can do. */
export async function forgetStatements(pool: pg.Pool): Promise<void> {
  const tables = [
    'statement_flags',
    'statement_digests',
    'reviews',
    'statement_parts',
    'statement_lines',
    'statements',
  ];
  const each = (act: (table: string) => string) => tables.map((table) => act(`billing.${table}`)).join('; ');
  await pool.query(each((table) => `alter table ${table} disable trigger user`));
  await pool.query(`truncate ${tables.map((table) => `billing.${table}`).join(', ')}`);
  await pool.query(each((table) => `alter table ${table} enable trigger user`));
}

// Number 0 is the partner that has the moved licenses for ten days.
const PARTNERS = `
  insert into partners.partners (id, name, type, created_at)
  select md5('partner' || p)::uuid, 'Partner ' || p, 'hoster', '2025-01-01' from generate_series(0, $1::int) p`;

const SUBTREES = `
  insert into partners.subtrees (ancestor_id, descendant_id, depth)
  select md5('partner' || p)::uuid, md5('partner' || p)::uuid, 0 from generate_series(0, $1::int) p`;

const CUSTOMERS = `
  insert into customers.customers
    (id, number, partner_id, external_ref, name, legal_name, vat_id, email, phone, billing_street, billing_postal_code,
     billing_city, billing_region, billing_country, postal_street, postal_postal_code, postal_city, postal_region,
     postal_country, website, owner_email, status, created_at)
  select md5('customer' || p)::uuid, 1 + p, md5('partner' || p)::uuid, '', 'Customer ' || p, '', '', '', '', '', '', '',
         '', '', '', '', '', '', '', '', '', 'active', '2025-01-01'
    from generate_series(0, $1::int) p`;

const CONTRACTS = `
  insert into billing.contracts
    (id, partner_id, reference, model, currency, unit_price_cents, valid_from, editions, created_at)
  select md5('contract' || p)::uuid, md5('partner' || p)::uuid, 'C-' || p, 'per_instance_metered', 'EUR', 1099,
         '2025-01-01', '{}', '2025-01-01'
    from generate_series(0, $1::int) p`;

const LICENSES = `
  insert into licensing.licenses
    (id, number, partner_id, customer_id, contract_id, upstream_license_id, key_masked, edition, state,
     external_billing_ref, issued_at, owner_sequence, ledger_length, ledger_head)
  select md5('license' || n)::uuid, n, md5('partner' || p)::uuid, md5('customer' || p)::uuid,
         md5('contract' || p)::uuid, md5('upstream' || n)::uuid, '…' || upper(substr(md5('key' || n), 1, 6)),
         'web-host', 'active', '', '2025-01-05'::timestamptz + (n % 300) * interval '1 day', 1, 1,
         sha256(('head' || n)::bytea)
    from generate_series(1, $1::int) p, generate_series(1, $2::int) l,
         lateral (select (p - 1) * $2::int + l as n) as numbered`;

/** License n has its issue as event n and, if it was moved, out, in, out and in again from `total + 4 n` on. */
const MOVES = `
  select l.number as n, l.id, l.contract_id, k.kind, total + 4 * l.number + k.kind as event_id
    from licensing.licenses l, generate_series(0, 3) as k (kind), (select $1::bigint * $2::bigint as total) as t
   where (l.number - 1) % $2::bigint < $3::bigint`;

const EVENTS = `
  insert into licensing.ledger_events
    (id, license_id, position, event, at, customer_id, data, previous_hash, hash) overriding system value
  select number, id, 1, 'license.issued', issued_at, customer_id, '{}'::json, decode(repeat('00', 32), 'hex'), ledger_head
    from licensing.licenses where $1::bigint > 0
  union all
  select event_id, id, 2 + kind, case kind % 2 when 0 then 'license.transferred_out' else 'license.transferred_in' end,
         '2026-01-20', null::uuid, '{}', decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex')
    from (${MOVES}) as moves`;

const SPANS = `
  with moves as (${MOVES})
  insert into licensing.ownership_spans (license_id, contract_id, days, opened_by, closed_by)
  select l.id, l.contract_id, daterange(l.issued_at::date, m.last), l.number, m.event_id
    from licensing.licenses l
    left join (select id, event_id, date '2026-01-10' as last from moves where kind = 0) as m on m.id = l.id
  union all
  select id, md5('contract0')::uuid, daterange('2026-01-10', '2026-01-20'), event_id + 1, event_id + 2
    from moves where kind = 0
  union all
  select id, contract_id, daterange('2026-01-20', null), event_id, null from moves where kind = 3`;

/** In a world with one partner, number 1 has the licenses. */
export function idOfPartner(number: number): string {
  return idOf('partner', number);
}
