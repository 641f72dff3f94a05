import type { Pool } from 'pg';
import { tokenOf } from './bench-tokens.js';
import { partnerTree } from './partner-tree.js';

export interface LicenseSample {
  readonly id: string;
  /** A token of a partner that may see it: its owner or one above, each equally often. */
  readonly token: string;
}

/** Random licenses, each with a token that may read it. */
export function sampleLicenses(pool: Pool, count: number): Promise<LicenseSample[]> {
  return sample(pool, count, 'true');
}

/** The same with active licenses only that have a record at the local license service. */
export function sampleActiveLicenses(pool: Pool, count: number): Promise<LicenseSample[]> {
  const recorded = 'exists (select 1 from license_service.licenses r where r.id = upstream_license_id)';
  return sample(pool, count, `state = 'active' and ${recorded}`);
}

async function sample(pool: Pool, count: number, condition: string): Promise<LicenseSample[]> {
  const { rows } = await pool.query<{ id: string; ancestor_id: string }>(
    `select l.id, a.ancestor_id
       from (select id, partner_id, number from licensing.licenses where ${condition}
              order by hashint8extended(number, 11) limit $1) l
       cross join lateral (select s.ancestor_id from partners.subtrees s
                             join partners.partners p on p.id = s.ancestor_id
                            where s.descendant_id = l.partner_id and p.type <> 'operator'
                            order by md5(s.ancestor_id::text || l.number) limit 1) a`,
    [count],
  );
  const tokens = new Map(partnerTree().map((partner) => [partner.id, tokenOf(partner)]));
  return rows.map(({ id, ancestor_id }) => ({ id, token: tokens.get(ancestor_id)! }));
}

export interface ListSample {
  readonly partnerId: string;
  readonly token: string;
  readonly level: number;
  /** Licenses in the subtree. */
  readonly licenses: number;
}

/** The partners of a level by the size of their subtrees, largest first; level 0 is the operator. */
export async function subtreesOfLevel(pool: Pool, level: number): Promise<ListSample[]> {
  const partners = partnerTree().filter((partner) => partner.level === level);
  const { rows } = await pool.query<{ ancestor_id: string; licenses: string }>(
    `select s.ancestor_id, sum(l.licenses) as licenses
       from partners.subtrees s
       join (select partner_id, count(*) as licenses from licensing.licenses group by 1) l
         on l.partner_id = s.descendant_id
      where s.ancestor_id = any($1) group by 1 order by 2 desc`,
    [partners.map(({ id }) => id)],
  );
  const byId = new Map(partners.map((partner) => [partner.id, partner]));
  return rows.map(({ ancestor_id, licenses }) => ({
    partnerId: ancestor_id,
    token: tokenOf(byId.get(ancestor_id)!),
    level,
    licenses: Number(licenses),
  }));
}

export interface OrderSample {
  readonly token: string;
  readonly body: Readonly<Record<'customerId' | 'contractId' | 'edition' | 'externalBillingRef', string>>;
}

/** Input for issues: random customers with a contract of their partner and that partner's token. */
export async function sampleOrders(pool: Pool, count: number): Promise<OrderSample[]> {
  const { rows } = await pool.query<{ customer_id: string; contract_id: string; partner_id: string }>(
    `select c.id as customer_id, k.id as contract_id, c.partner_id
       from customers.customers c join billing.contracts k on k.partner_id = c.partner_id
      order by hashint8extended(c.number, 12) limit $1`,
    [count],
  );
  const tokens = new Map(partnerTree().map((partner) => [partner.id, tokenOf(partner)]));
  return rows.map(({ customer_id: customerId, contract_id: contractId, partner_id }) => ({
    token: tokens.get(partner_id)!,
    body: { customerId, contractId, edition: 'web-host', externalBillingRef: 'order' },
  }));
}
