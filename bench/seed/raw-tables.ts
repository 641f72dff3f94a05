import type { Pool } from 'pg';

/**
 * The tables of the raw baselines, as small as the task allows: one key each, and one index where the product has many.
 */
export async function provideRawTables(pool: Pool): Promise<void> {
  await pool.query(`
    create table if not exists bench.raw_licenses (
      id uuid primary key, customer_id uuid, contract_id uuid, edition text, state text
    );
    create index if not exists raw_licenses_customer on bench.raw_licenses (customer_id);
    create table if not exists bench.raw_events (
      id bigint generated always as identity primary key, license_id uuid, event text, at timestamptz
    );
    create index if not exists raw_events_license on bench.raw_events (license_id);
  `);
}

/** A copy of the licenses with the two indexes that their lists need without subtrees. */
export async function provideRawList(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ known: boolean }>("select to_regclass('bench.raw_list') is not null as known");
  if (rows[0]?.known) return;
  await pool.query('create table bench.raw_list as select * from licensing.licenses');
  await pool.query('create index on bench.raw_list (issued_at desc, id desc)');
  await pool.query('create index on bench.raw_list (partner_id, issued_at desc, id desc)');
  await pool.query('vacuum (analyze) bench.raw_list');
}
