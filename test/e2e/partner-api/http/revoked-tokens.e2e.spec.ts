import { DataSource } from 'typeorm';
import { aLicense, aSeller, type Seller } from '../../../support/builders/a-license.js';
import { aPartner, aToken } from '../../../support/builders/a-partner.js';
import { startLicensingApi } from '../../../support/licensing/licensing-api.js';
import { startPartnerApi, type RunningPartnerApi } from '../../../support/partner-api.js';

const TABLES = [
  'licensing.licenses',
  'licensing.reservations',
  'licensing.pending_changes',
  'licensing.ledger_events',
  'licensing.ownership_spans',
  'license_service.licenses',
  'platform.idempotent_answers',
];

describe.each([
  ['the local license service', () => startPartnerApi()],
  ['a license service elsewhere', () => startLicensingApi()],
])('writes with a token that was just revoked, over %s', (_, start) => {
  let api: RunningPartnerApi;
  let seller: Seller;

  beforeAll(async () => {
    api = await start();
    seller = await aSeller(api);
  });

  afterAll(() => api.close());

  const sql = <R>(text: string, values: unknown[] = []) => api.app.get(DataSource).query<R[]>(text, values);

  const everything = () =>
    Promise.all(TABLES.map(async (table) => [table, await sql(`select t::text as row from ${table} t order by 1`)]));

  const order = () => ({ customerId: seller.customerId, contractId: seller.contractId, edition: 'web-host' });

  /** A token that the process has cached as valid. */
  const aSeenToken = async () => {
    const token = await aToken(api.app, seller.partner.id, 'write');
    expect((await api.as(token).get('/v1/me')).status).toBe(200);
    return token;
  };

  /** Revokes it without a notification to the process. */
  const revoke = (token: string) =>
    sql('update tokens.api_tokens set revoked_at = now() where token_hash = sha256($1::text::bytea)', [token]);

  const CALLS = [
    ['issue', () => '/v1/licenses', () => order()],
    ['suspend', (id: string) => `/v1/licenses/${id}/suspend`, () => ({})],
    ['resume', (id: string) => `/v1/licenses/${id}/resume`, () => ({})],
    ['terminate', (id: string) => `/v1/licenses/${id}/terminate`, () => ({})],
    ['changeEdition', (id: string) => `/v1/licenses/${id}/edition`, () => ({ edition: 'web-pro' })],
  ] as const;

  /** The id of a license for which the call is allowed. */
  const aSubject = async (name: (typeof CALLS)[number][0]) => {
    const { id } = await aLicense(seller);
    if (name === 'resume') await seller.client.post(`/v1/licenses/${id}/suspend`);
    return id;
  };

  it.each(CALLS)('%s: has no effect with a revoked token', async (name, path, body) => {
    const id = await aSubject(name);
    const invented = await api.as('pcp_invented').post(path(id), body());
    const token = await aSeenToken();
    await revoke(token);
    const before = await everything();
    const answer = await api.as(token).post(path(id), body());
    expect([answer.status, answer.text]).toEqual([401, invented.text]);
    expect(await everything()).toEqual(before);
  });

  it.each(CALLS)('%s: has no effect with a token that was moved to another partner', async (name, path, body) => {
    const id = await aSubject(name);
    const token = await aSeenToken();
    const other = await aPartner(api.app);
    await sql('update tokens.api_tokens set partner_id = $2 where token_hash = sha256($1::text::bytea)', [
      token,
      other.id,
    ]);
    const before = await everything();
    expect((await api.as(token).post(path(id), body())).status).toBe(404);
    expect(await everything()).toEqual(before);
  });

  it('reveals no errors of the request to a revoked token', async () => {
    const token = await aSeenToken();
    await revoke(token);
    const answer = await api.as(token).post('/v1/licenses', { ...order(), edition: 7 });
    expect(answer.status).toBe(401);
  });

  it('stores nothing for a revoked token with an Idempotency-Key', async () => {
    const token = await aSeenToken();
    await revoke(token);
    const before = await everything();
    const answer = await api.as(token).post('/v1/licenses', order(), { 'idempotency-key': 'order 1' });
    expect(answer.status).toBe(401);
    expect(await everything()).toEqual(before);
  });

  it('decides separately for concurrent requests', async () => {
    const tokens = await Promise.all(Array.from({ length: 24 }, aSeenToken));
    const revoked = tokens.filter((_token, n) => n % 3 === 0);
    await Promise.all(revoked.map(revoke));
    const licenses = () => sql<{ id: string }>('select id from licensing.licenses');
    const before = await licenses();
    const answers = await Promise.all(tokens.map((token) => api.as(token).post('/v1/licenses', order())));
    expect(answers.map(({ status }) => status)).toEqual(tokens.map((token) => (revoked.includes(token) ? 401 : 201)));
    expect(await licenses()).toHaveLength(before.length + 16);
  });
});
