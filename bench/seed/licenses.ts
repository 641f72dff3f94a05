import type { Pool } from 'pg';

/** A number from 0 to 1, always the same for the same row and purpose. */
const share = (number: string, purpose: number) =>
  `((hashint8extended(${number}, ${purpose}) & 2147483647) / 2147483648.0)`;

/** Customers are distributed very unevenly: the first tenth of the partners has more than half of them. */
const CUSTOMERS = `
  insert into customers.customers
    (id, number, partner_id, external_ref, name, legal_name, vat_id, email, phone, billing_street, billing_postal_code,
     billing_city, billing_region, billing_country, postal_street, postal_postal_code, postal_city, postal_region,
     postal_country, website, owner_email, status, created_at)
  select md5('customer' || n)::uuid, n, p.id, 'ref-' || n, 'Customer ' || n, '', '', 'c' || n || '@example.org', '', '',
         '', '', '', '', '', '', '', '', '', '', '', 'active', '2024-01-01'::timestamptz + n * interval '1 minute'
    from generate_series(1, $1::bigint) as n
    join numbered_partners p on p.number = 1 + floor(1000 * power(${share('n', 1)}, 4))::int`;

const CONTRACTS = `
  insert into billing.contracts
    (id, partner_id, reference, model, currency, unit_price_cents, valid_from, editions, created_at)
  select md5('contract' || number)::uuid, id, 'C-' || number, 'per_instance_metered', 'EUR', 1099, '2024-01-01', '{}',
         '2024-01-01'
    from numbered_partners`;

/** Two years of licenses, evenly distributed in time; of a hundred, 87 are active, 5 suspended and 8 terminated. */
const LICENSES = `
  insert into licensing.licenses
    (id, number, partner_id, customer_id, contract_id, upstream_license_id, key_masked, edition, state, suspended_from,
     external_billing_ref, issued_at, terminated_at, owner_sequence, ledger_length, ledger_head)
  select md5('license' || n)::uuid, n, c.partner_id, c.id, md5('contract' || p.number)::uuid,
         md5('upstream' || n)::uuid, '…' || upper(substr(md5('key' || n), 1, 6)),
         case when ${share('n', 3)} < 0.7 then 'web-host' else 'web-pro' end, s.state,
         case when s.state = 'suspended' then 'active' end, 'order-' || n, t.issued_at,
         case when s.state = 'terminated' then t.issued_at + interval '40 days' end, 1,
         case when s.state = 'terminated' then 2 else 1 end, sha256(('head' || n)::bytea)
    from generate_series(1, $1::bigint) as n
    join customers.customers c on c.number = 1 + floor($2::bigint * ${share('n', 2)})::bigint
    join numbered_partners p on p.id = c.partner_id
    cross join lateral (select case when ${share('n', 4)} < 0.87 then 'active' when ${share('n', 4)} < 0.92
      then 'suspended' else 'terminated' end as state) s
    cross join lateral (select '2024-02-01'::timestamptz + n * (interval '700 days' / $1::bigint) as issued_at) t`;

const LEDGER = `
  insert into licensing.ledger_events
    (id, license_id, position, event, at, actor, customer_id, data, previous_hash, hash) overriding system value
  select number, id, 1, 'license.issued', issued_at, partner_id::text, customer_id, '{}'::jsonb,
         decode(repeat('00', 32), 'hex'), ledger_head from licensing.licenses
  union all
  select $1 + number, id, 2, 'license.terminated', terminated_at, partner_id::text, customer_id, '{}'::jsonb, ledger_head,
         ledger_head from licensing.licenses where state = 'terminated'`;

const SPANS = `
  insert into licensing.ownership_spans (license_id, contract_id, days, opened_by, closed_by)
  select id, contract_id, daterange(issued_at::date, terminated_at::date + 1), number,
         case when state = 'terminated' then $1 + number end from licensing.licenses`;

const LISTS = `
  insert into licensing.subtree_index (ancestor_id, issued_at, license_id)
  select s.ancestor_id, l.issued_at, l.id
    from licensing.licenses l join partners.subtrees s on s.descendant_id = l.partner_id`;

const CUSTOMER_LISTS = `
  insert into customers.subtree_index (ancestor_id, created_at, customer_id)
  select s.ancestor_id, c.created_at, c.id
    from customers.customers c join partners.subtrees s on s.descendant_id = c.partner_id`;

const UPSTREAM = `
  insert into license_service.licenses
    (id, key_hash, key_masked, policy_id, suspended, metadata, metadata_sequence, created_at)
  select upstream_license_id, sha256(('key' || number)::bytea), key_masked, md5(edition)::uuid, state = 'suspended', '{}'::jsonb, 1,
         issued_at from licensing.licenses`;

/** Fills everything that depends on the partners, which exist already. */
export async function insertLicenses(pool: Pool, licenses: number): Promise<void> {
  const customers = Math.max(1000, Math.round(licenses / 10));
  const client = await pool.connect();
  try {
    await client.query("set timezone = 'UTC'");
    await client.query(
      `create temporary table numbered_partners as
         select id, (row_number() over (order by md5('rank' || id::text)))::int as number
           from partners.partners where type <> 'operator'`,
    );
    await client.query('analyze numbered_partners');
    await client.query(CUSTOMERS, [customers]);
    await client.query('analyze customers.customers');
    await client.query(CONTRACTS);
    await client.query(LICENSES, [licenses, customers]);
    await client.query('analyze licensing.licenses');
    // Without indexes each row would be compared with all others; creating the constraint afterwards checks them.
    await client.query('alter table licensing.ownership_spans disable trigger user');
    for (const sql of [LEDGER, SPANS]) await client.query(sql, [licenses]);
    await client.query('alter table licensing.ownership_spans enable trigger user');
    await client.query(LISTS);
    await client.query(CUSTOMER_LISTS);
    await client.query(
      `insert into license_service.policies (id, edition, created_at)
       select md5(e)::uuid, e, '2024-01-01' from unnest(array['web-host', 'web-pro']) as e`,
    );
    await client.query(UPSTREAM);
    await client.query(
      `select setval('customers.customer_numbers', $1), setval('licensing.license_numbers', $2),
      setval(pg_get_serial_sequence('licensing.ledger_events', 'id'), $3)`,
      [customers, licenses, 2 * licenses],
    );
  } finally {
    client.release();
  }
}
