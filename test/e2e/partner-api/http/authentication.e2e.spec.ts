import { DataSource } from 'typeorm';
import { SystemRandomness } from '#kernel/crypto/randomness';
import { ApiToken } from '../../../../libs/tokens/src/domain/api-token.js';
import { BufferedTokenUsage } from '../../../../libs/tokens/src/infrastructure/buffered-token-usage.js';
import { TokenUsage } from '../../../../libs/tokens/src/application/ports/token-usage.js';
import { aPartner, type PartnerWithTokens } from '../../../support/builders/a-partner.js';
import { FixedClock } from '../../../support/fixed-clock.js';
import { startPartnerApi, type RunningPartnerApi } from '../../../support/partner-api.js';

describe('authentication', () => {
  const clock = new FixedClock('2026-05-01T10:00:00Z');
  let api: RunningPartnerApi;
  let partner: PartnerWithTokens;

  beforeAll(async () => {
    api = await startPartnerApi({ clock });
    partner = await aPartner(api.app);
  });

  afterAll(() => api.close());

  it('gives the same refusal for every wrong credential', async () => {
    const good = partner.writeToken;
    const flipped = good.slice(0, 10) + (good[10] === 'a' ? 'b' : 'a') + good.slice(11);
    const wrong = [
      undefined,
      '',
      good,
      `Basic ${good}`,
      'Bearer',
      'Bearer ',
      `Bearer ${flipped}`,
      `Bearer ${good}x`,
      `Bearer  ${good}`,
      `Bearer ${good} ${good}`,
      'Bearer pcp_000000000000000000000000000000000000',
      'Bearer null',
    ];
    const answers = [];
    for (const authorization of wrong) {
      answers.push(await api.as(null).get('/v1/me', authorization === undefined ? {} : { authorization }));
    }
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(answer.text).toBe(answers[0]?.text);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('accepts the scheme in any case', async () => {
    const answer = await api.as(null).get('/v1/me', { authorization: `bEARER ${partner.writeToken}` });
    expect(answer.status).toBe(200);
  });

  it('accepts a token only in the header, and logs none from other places', async () => {
    const token = partner.writeToken;
    expect((await api.as(null).get(`/v1/me?access_token=${token}`)).status).toBe(401);
    const body = { label: 'x', scope: 'read', access_token: token };
    expect((await api.as(null).post('/v1/tokens', body)).status).toBe(401);
    expect((await api.as(null).get('/v1/me', { cookie: `access_token=${token}` })).status).toBe(401);
    // With a valid header, the others are ignored.
    expect((await api.as(token).get('/v1/me?access_token=nonsense')).status).toBe(200);
    expect(api.logs()).not.toContain(token);
  });

  it('refuses an invented token with a valid checksum like any other', async () => {
    const invented = ApiToken.generate(new SystemRandomness()).secret.reveal();
    expect((await api.as(invented).get('/v1/me')).status).toBe(401);
  });

  it('stores the last use in batches, at most once a minute', async () => {
    const usage = api.app.get<TokenUsage, BufferedTokenUsage>(TokenUsage, { strict: false });
    const lastUsed = async () => {
      await usage.flush();
      const { body } = await api.as(partner.readToken).get('/v1/tokens');
      return body.find((t: { label: string }) => t.label === 'test write').lastUsedAt as string | null;
    };
    await usage.flush();
    await api.as(partner.writeToken).get('/v1/me');
    expect(await lastUsed()).toBe('2026-05-01T10:00:00.000Z');
    clock.set('2026-05-01T10:00:30Z');
    await api.as(partner.writeToken).get('/v1/me');
    expect(await lastUsed()).toBe('2026-05-01T10:00:00.000Z');
    clock.set('2026-05-01T10:01:05Z');
    await api.as(partner.writeToken).get('/v1/me');
    expect(await lastUsed()).toBe('2026-05-01T10:01:05.000Z');
  });

  it('stores no token in clear', async () => {
    const rows: { text: string }[] = await api.app
      .get(DataSource)
      .query('select t::text as text from tokens.api_tokens t');
    expect(rows.length).toBeGreaterThan(1);
    for (const { text } of rows) {
      expect(text).not.toContain(partner.writeToken);
      expect(text).not.toContain(partner.writeToken.slice(12));
    }
  });

  it('refuses a revoked token on every later request, on two instances under load', async () => {
    const second = await startPartnerApi({ clock, database: api.database });
    try {
      const { body } = await api.as(partner.writeToken).post('/v1/tokens', { label: 'victim', scope: 'read' });
      const instances = [api.as(body.token), second.as(body.token)];
      const results: { startedAt: number; status: number }[] = [];
      let running = true;
      const load = instances.flatMap((client) =>
        [1, 2, 3, 4].map(async () => {
          while (running) {
            const startedAt = performance.now();
            const { status } = await client.get('/v1/me');
            results.push({ startedAt, status });
          }
        }),
      );
      await new Promise((resolve) => setTimeout(resolve, 150));
      await api.as(partner.writeToken).delete(`/v1/tokens/${body.id}`);
      const revokedAt = performance.now();
      const afterwards = () => results.filter((result) => result.startedAt > revokedAt);
      // Generous, for a busy machine.
      while (afterwards().length <= 10) await new Promise((resolve) => setTimeout(resolve, 10));
      running = false;
      await Promise.all(load);
      const after = afterwards();
      expect(results.some((result) => result.status === 200)).toBe(true);
      expect(after.filter((result) => result.status !== 401)).toEqual([]);
    } finally {
      await second.close();
    }
  });
});
