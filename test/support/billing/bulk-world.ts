import pg from 'pg';

/** All licenses are issued on 2025-01-05, so each one covers the whole of 2025-03. */
export interface Bulk {
  readonly partners: number;
  readonly licensesEach: number;
}

/**
 * Many partners with one metered contract each, inserted directly into the tables. The hashes in their ledger are not
 * valid.
 */
export async function bulkWorld(databaseUrl: string, { partners, licensesEach }: Bulk): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const sql of [PARTNERS, CUSTOMERS, CONTRACTS]) await client.query(sql, [partners]);
    for (const sql of [LICENSES, EVENTS, SPANS]) await client.query(sql, [partners, licensesEach]);
    await client.query('analyze');
  } finally {
    await client.end();
  }
}

const PARTNERS = `
  with partner as (
    insert into partners.partners (id, name, type, created_at)
    select md5('partner' || p)::uuid, 'Partner ' || p, 'hoster', '2025-01-01' from generate_series(1, $1::int) p
    returning id
  )
  insert into partners.subtrees (ancestor_id, descendant_id, depth) select id, id, 0 from partner`;

const CUSTOMERS = `
  insert into customers.customers
    (id, number, partner_id, external_ref, name, legal_name, vat_id, email, phone, billing_street, billing_postal_code,
     billing_city, billing_region, billing_country, postal_street, postal_postal_code, postal_city, postal_region,
     postal_country, website, owner_email, status, created_at)
  select md5('customer' || p)::uuid, 1000000 + p, md5('partner' || p)::uuid, '', 'Customer ' || p, '', '', '', '', '', '', '',
         '', '', '', '', '', '', '', '', '', 'active', '2025-01-01'
    from generate_series(1, $1::int) p`;

const CONTRACTS = `
  insert into billing.contracts
    (id, partner_id, reference, model, currency, unit_price_cents, valid_from, editions, created_at)
  select md5('contract' || p)::uuid, md5('partner' || p)::uuid, 'C-' || p, 'per_instance_metered', 'EUR', 1099,
         '2025-01-01', '{}', '2025-01-01'
    from generate_series(1, $1::int) p`;

const LICENSES = `
  insert into licensing.licenses
    (id, number, partner_id, customer_id, contract_id, upstream_license_id, key_masked, edition, state,
     external_billing_ref, issued_at, owner_sequence, ledger_length, ledger_head)
  select md5(p || 'license' || l)::uuid, 1000000 + (p - 1) * $2::int + l, md5('partner' || p)::uuid,
         md5('customer' || p)::uuid, md5('contract' || p)::uuid, md5(p || 'upstream' || l)::uuid,
         '…' || upper(substr(md5('key' || p || l), 1, 6)), 'web-host', 'active', '', '2025-01-05', 1, 1,
         sha256(('head' || p || l)::bytea)
    from generate_series(1, $1::int) p, generate_series(1, $2::int) l`;

const EVENTS = `
  insert into licensing.ledger_events
    (id, license_id, position, event, at, customer_id, data, previous_hash, hash) overriding system value
  select number, id, 1, 'license.issued', issued_at, customer_id, '{}', decode(repeat('00', 32), 'hex'), ledger_head
    from licensing.licenses where number > 1000000 and number <= 1000000 + $1::int * $2::int`;

const SPANS = `
  insert into licensing.ownership_spans (license_id, contract_id, days, opened_by)
  select id, contract_id, daterange('2025-01-05', null), number
    from licensing.licenses where number > 1000000 and number <= 1000000 + $1::int * $2::int`;
