import { serve } from './serve.js';

/** The fields that the product returns. */
const FIELDS = `'L-' || number as "humanId", id, partner_id as "partnerId", customer_id as "customerId",
  contract_id as "contractId", upstream_license_id as "upstreamLicenseId", key_masked as "keyMasked", edition, state,
  external_billing_ref as "externalBillingRef", metadata, issued_at as "issuedAt", terminated_at as "terminatedAt"`;

const BY_ID = { name: 'by-id', text: `select ${FIELDS} from licensing.licenses where id = $1` };
const NEWEST = {
  name: 'newest',
  text: `select ${FIELDS} from bench.raw_list order by issued_at desc, id desc limit $1 offset $2`,
};
const NEWEST_OF_PARTNER = {
  name: 'newest-of-partner',
  text: `select ${FIELDS} from bench.raw_list where partner_id = $3 order by issued_at desc, id desc limit $1 offset $2`,
};

/** Licenses by id and as lists: Fastify and one prepared statement, no authentication, no subtree, no log. */
await serve((app, pool) => {
  app.get<{ Params: { id: string } }>('/licenses/:id', async ({ params }) => {
    const { rows } = await pool.query({ ...BY_ID, values: [params.id] });
    return rows[0] as object;
  });
  app.get<{ Querystring: { limit: string; offset?: string; partner?: string } }>('/licenses', async ({ query }) => {
    const page = [query.limit, query.offset ?? 0];
    const statement = query.partner
      ? { ...NEWEST_OF_PARTNER, values: [...page, query.partner] }
      : { ...NEWEST, values: page };
    return (await pool.query(statement)).rows;
  });
});
