import { DataSource } from 'typeorm';
import { CustomerQueries } from '#libs/customers';
import { TokenReader } from '../../../../libs/tokens/src/application/ports/token-reader.js';
import { aCustomer } from '../../../support/builders/a-customer.js';
import { aPartner, aToken, type PartnerWithTokens } from '../../../support/builders/a-partner.js';
import { startPartnerApi, type RunningPartnerApi } from '../../../support/partner-api.js';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';

describe('reads that begin before the token is confirmed', () => {
  let api: RunningPartnerApi;
  let partner: PartnerWithTokens;
  let path: string;
  let secret: string;

  beforeAll(async () => {
    api = await startPartnerApi({ settings: { PC_RATE_RPS: '0.001', PC_RATE_BURST: '40' } });
    partner = await aPartner(api.app);
    const customer = await aCustomer(api.app, partner.id, { name: 'Not for everybody' });
    path = `/v1/customers/${customer.id}`;
    secret = customer.name;
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => api.close());

  const sql = (text: string, values: unknown[] = []) => api.app.get(DataSource).query<unknown[]>(text, values);

  /** A token that the process has seen valid. */
  const aSeenToken = async () => {
    const token = await aToken(api.app, partner.id, 'read');
    expect((await api.as(token).get(path)).body.name).toBe(secret);
    return token;
  };

  const revoke = (token: string) =>
    sql('update tokens.api_tokens set revoked_at = now() where token_hash = sha256($1::text::bytea)', [token]);

  /** Revoked without a word to the process. */
  const aRevokedToken = async () => {
    const token = await aSeenToken();
    await revoke(token);
    return token;
  };

  const lastUse = (token: string) =>
    sql('select last_used_at from tokens.api_tokens where token_hash = sha256($1::text::bytea)', [token]);

  /** No token is answered for before the customer was asked for and `before` has happened. */
  const answerAfterTheRead = (before: () => Promise<unknown> = () => Promise.resolve()) => {
    const queries = api.app.get(CustomerQueries, { strict: false });
    const reader = api.app.get(TokenReader, { strict: false });
    const begun = new Promise<void>((resolve) => {
      const get = queries.get.bind(queries);
      jest.spyOn(queries, 'get').mockImplementation((...asked) => {
        resolve();
        return get(...asked);
      });
    });
    const find = reader.findByHash.bind(reader);
    jest.spyOn(reader, 'findByHash').mockImplementation(async (hash) => {
      await begun;
      await before();
      return find(hash);
    });
  };

  it('begins for a token seen before, and answers when the database has named the same partner', async () => {
    const token = await aSeenToken();
    answerAfterTheRead();
    const answer = await api.as(token).get(path);
    expect([answer.status, answer.body.name]).toEqual([200, secret]);
  });

  it('says of a revoked token what it says of an invented one, whatever the read has found', async () => {
    const invented = await api.as('pcp_invented').get(path);
    const token = await aRevokedToken();
    const used = await lastUse(token);
    for (const at of [path, `/v1/customers/${UNKNOWN}`, '/v1/customers/nonsense']) {
      const answer = await api.as(token).get(at);
      expect([at, answer.status, answer.text]).toEqual([at, 401, invented.text]);
      const names = (headers: Headers) => [...headers.keys()].sort();
      expect(names(answer.headers)).toEqual(names(invented.headers));
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      // What it was told made it forget; the next way is that of a revocation that it has not heard of.
      await sql('update tokens.api_tokens set revoked_at = null where token_hash = sha256($1::text::bytea)', [token]);
      expect((await api.as(token).get(path)).status).toBe(200);
      await revoke(token);
    }
    expect(await lastUse(token)).toEqual(used);
    const head = await fetch(`${api.url}${path}`, { method: 'HEAD', headers: { authorization: `Bearer ${token}` } });
    expect(head.status).toBe(401);
    expect((await api.as(token).get(path)).status).toBe(401);
  });

  it('refuses when the revocation comes while the read is under way', async () => {
    const token = await aSeenToken();
    answerAfterTheRead(() => revoke(token));
    const answer = await api.as(token).get(path);
    expect(answer.status).toBe(401);
    expect(answer.text).not.toContain(secret);
  });

  it('tells a revoked token nothing of a read that failed', async () => {
    const token = await aRevokedToken();
    const queries = api.app.get(CustomerQueries, { strict: false });
    jest.spyOn(queries, 'get').mockRejectedValue(new Error('the read broke'));
    expect((await api.as(token).get(path)).status).toBe(401);
    expect((await api.as(partner.readToken).get(path)).status).toBe(500);
    expect((await api.as(partner.readToken).get(path)).status).toBe(500);
  });

  it('answers nothing when the tokens cannot be asked', async () => {
    const token = await aSeenToken();
    const reader = api.app.get(TokenReader, { strict: false });
    jest.spyOn(reader, 'findByHash').mockRejectedValue(new Error('the tokens are away'));
    const answer = await api.as(token).get(path);
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain(secret);
    expect(api.logs()).toContain('the tokens are away');
  });

  it('gives a token that has passed to another partner nothing of the first', async () => {
    const other = await aPartner(api.app);
    const token = await aSeenToken();
    await sql('update tokens.api_tokens set partner_id = $2 where token_hash = sha256($1::text::bytea)', [
      token,
      other.id,
    ]);
    const first = await api.as(token).get(path);
    expect([first.status, first.text.includes(secret)]).toEqual([503, false]);
    expect((await api.as(token).get(path)).status).toBe(404);
  });

  it('counts each read once, and tells a revoked token that asked too often that it is refused', async () => {
    const token = await aToken(api.app, partner.id, 'read');
    const statuses: number[] = [];
    for (let i = 0; i < 41; i++) statuses.push((await api.as(token).get(path)).status);
    expect(statuses).toEqual([...Array.from({ length: 40 }, () => 200), 429]);
    await revoke(token);
    const answer = await api.as(token).get(path);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([401, null]);
  });

  it('keeps callers apart who ask at once', async () => {
    const worlds = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => {
        const owner = await aPartner(api.app);
        const customer = await aCustomer(api.app, owner.id, { name: `Customer of world ${n}` });
        return { token: owner.readToken, path: `/v1/customers/${customer.id}`, name: customer.name };
      }),
    );
    for (let round = 0; round < 2; round++) {
      await Promise.all(
        worlds.flatMap((mine) =>
          worlds.map(async (theirs) => {
            const answer = await api.as(mine.token).get(theirs.path);
            if (mine === theirs) expect(answer.body.name).toBe(mine.name);
            else expect([answer.status, answer.text.includes(theirs.name)]).toEqual([404, false]);
          }),
        ),
      );
    }
  });
});
