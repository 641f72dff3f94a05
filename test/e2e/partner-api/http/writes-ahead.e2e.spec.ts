import { ModulesContainer } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { Customers } from '#libs/customers';
import { ROUTE_POLICY } from '#platform/http/routing/route-policy';
import type { PartnerRoutePolicy } from '../../../../apps/partner-api/src/http/partner-route.decorator.js';
import { LicenseRepository } from '../../../../libs/licensing/src/application/ports/license-repository.js';
import { TokenReader } from '../../../../libs/tokens/src/application/ports/token-reader.js';
import { aLicense, aSeller, type Seller } from '../../../support/builders/a-license.js';
import { aPartner, aToken } from '../../../support/builders/a-partner.js';
import { startLicensingApi } from '../../../support/licensing-api.js';
import { startPartnerApi, type RunningPartnerApi } from '../../../support/partner-api.js';

const TABLES = [
  'licensing.licenses',
  // Spare ones are nobody's.
  '(select * from licensing.reservations where partner_id is not null)',
  'licensing.pending_changes',
  'licensing.ledger_events',
  'licensing.ownership_spans',
  'license_service.licenses',
  'platform.idempotent_answers',
];

/** Longer than any write takes. */
const LATE_MS = 100;

describe.each([
  ['the local license service', () => startPartnerApi()],
  ['a license service elsewhere', () => startLicensingApi()],
])('writes that read before the token is confirmed, over %s', (_, start) => {
  let api: RunningPartnerApi;
  let seller: Seller;

  beforeAll(async () => {
    api = await start();
    seller = await aSeller(api);
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => api.close());

  const sql = <R>(text: string, values: unknown[] = []) => api.app.get(DataSource).query<R[]>(text, values);

  const everything = () =>
    Promise.all(TABLES.map(async (table) => [table, await sql(`select t::text as row from ${table} t order by 1`)]));

  const order = () => ({ customerId: seller.customerId, contractId: seller.contractId, edition: 'web-host' });

  /** A token that the process has seen valid. */
  const aSeenToken = async () => {
    const token = await aToken(api.app, seller.partner.id, 'write');
    expect((await api.as(token).get('/v1/me')).status).toBe(200);
    return token;
  };

  /** Without a word to the process. */
  const revoke = (token: string) =>
    sql('update tokens.api_tokens set revoked_at = now() where token_hash = sha256($1::text::bytea)', [token]);

  const tokensAnswer = (when: () => Promise<unknown>) => {
    const reader = api.app.get(TokenReader, { strict: false });
    const find = reader.findByHash.bind(reader);
    jest.spyOn(reader, 'findByHash').mockImplementation(async (hash) => {
      await when();
      return find(hash);
    });
  };

  const late = () => new Promise((resolve) => setTimeout(resolve, LATE_MS));

  const CALLS = [
    ['issue', () => '/v1/licenses', () => order()],
    ['suspend', (id: string) => `/v1/licenses/${id}/suspend`, () => ({})],
    ['resume', (id: string) => `/v1/licenses/${id}/resume`, () => ({})],
    ['terminate', (id: string) => `/v1/licenses/${id}/terminate`, () => ({})],
    ['changeEdition', (id: string) => `/v1/licenses/${id}/edition`, () => ({ edition: 'web-pro' })],
  ] as const;

  /** The id of a license that the call can be made on. */
  const aSubject = async (name: (typeof CALLS)[number][0]) => {
    const { id } = await aLicense(seller);
    if (name === 'resume') await seller.client.post(`/v1/licenses/${id}/suspend`);
    return id;
  };

  it('are all tried here', () => {
    const controllers = [...api.app.get(ModulesContainer).values()].flatMap((module) => [
      ...module.controllers.values(),
    ]);
    const ahead = controllers.flatMap(({ metatype }) => {
      const handlers = Object.entries(Object.getOwnPropertyDescriptors((metatype as { prototype: object }).prototype));
      return handlers.flatMap(([name, { value }]) => {
        if (typeof value !== 'function') return [];
        const policy = Reflect.getMetadata(ROUTE_POLICY, value as object) as Partial<PartnerRoutePolicy> | undefined;
        return policy?.scope === 'write' && policy.readsAhead ? [name] : [];
      });
    });
    expect(ahead.sort()).toEqual(CALLS.map(([name]) => name).sort());
  });

  it.each(CALLS)('%s: begins meanwhile for a token seen before, and is done when it is confirmed', async (...call) => {
    const [name, path, body] = call;
    const id = await aSubject(name);
    const token = await aSeenToken();
    const begun = new Promise<void>((resolve) => {
      const customers = api.app.get(Customers, { strict: false });
      const lock = customers.lockForIssue.bind(customers);
      jest.spyOn(customers, 'lockForIssue').mockImplementation((...asked) => (resolve(), lock(...asked)));
      const look = customers.lookForIssue.bind(customers);
      jest.spyOn(customers, 'lookForIssue').mockImplementation((...asked) => (resolve(), look(...asked)));
      const licenses = api.app.get(LicenseRepository, { strict: false });
      const find = licenses.findForUpdate.bind(licenses);
      jest.spyOn(licenses, 'findForUpdate').mockImplementation((...asked) => (resolve(), find(...asked)));
    });
    tokensAnswer(() => begun);
    expect((await api.as(token).post(path(id), body())).status).toBeLessThan(300);
  });

  it.each(CALLS)('%s: does nothing for a token that was revoked', async (name, path, body) => {
    const id = await aSubject(name);
    const invented = await api.as('pcp_invented').post(path(id), body());
    const token = await aSeenToken();
    await revoke(token);
    const before = await everything();
    tokensAnswer(late);
    const answer = await api.as(token).post(path(id), body());
    expect([answer.status, answer.text]).toEqual([401, invented.text]);
    await late();
    expect(await everything()).toEqual(before);
  });

  it.each(CALLS)('%s: does nothing for a token that has passed to another partner', async (name, path, body) => {
    const id = await aSubject(name);
    const token = await aSeenToken();
    const other = await aPartner(api.app);
    await sql('update tokens.api_tokens set partner_id = $2 where token_hash = sha256($1::text::bytea)', [
      token,
      other.id,
    ]);
    const before = await everything();
    tokensAnswer(late);
    expect((await api.as(token).post(path(id), body())).status).toBe(503);
    expect((await api.as(token).post(path(id), body())).status).toBe(404);
    expect(await everything()).toEqual(before);
  });

  it('tells a revoked token nothing of what is wrong with its request', async () => {
    const token = await aSeenToken();
    await revoke(token);
    const answer = await api.as(token).post('/v1/licenses', { ...order(), edition: 7 });
    expect(answer.status).toBe(401);
  });

  it('writes nothing down of a revoked token with an Idempotency-Key', async () => {
    const token = await aSeenToken();
    await revoke(token);
    const before = await everything();
    const answer = await api.as(token).post('/v1/licenses', order(), { 'idempotency-key': 'order 1' });
    expect(answer.status).toBe(401);
    expect(await everything()).toEqual(before);
  });

  it('keeps those apart who come at once', async () => {
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
