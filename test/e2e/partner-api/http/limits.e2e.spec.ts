import autocannon from 'autocannon';
import { aPartner, type PartnerWithTokens } from '../../../support/builders/a-partner.js';
import { startPartnerApi, type RunningPartnerApi } from '../../../support/partner-api.js';

describe('limits', () => {
  let api: RunningPartnerApi;
  let partner: PartnerWithTokens;

  beforeAll(async () => {
    api = await startPartnerApi({
      settings: { PC_RATE_RPS: '10', PC_RATE_BURST: '30', PC_AUTHFAIL_RPS: '1', TRUSTED_PROXIES: '127.0.0.1' },
    });
    partner = await aPartner(api.app);
  });

  afterAll(() => api.close());

  const statuses = async (token: string | null, count: number, headers: Record<string, string> = {}) => {
    const answers = await Promise.all(Array.from({ length: count }, () => api.as(token).get('/v1/me', headers)));
    return answers.map((answer) => answer.status);
  };

  it('allow a burst of 30 and then ten requests a second, separately for each token', async () => {
    const begun = performance.now();
    const first = await statuses(partner.writeToken, 60);
    const earned = Math.ceil((performance.now() - begun) / 100) + 1;
    const accepted = first.filter((status) => status === 200).length;
    expect(accepted).toBeGreaterThanOrEqual(30);
    expect(accepted).toBeLessThanOrEqual(30 + earned);
    expect(first.filter((status) => status === 429)).toHaveLength(60 - accepted);
    const other = await statuses(partner.readToken, 5);
    expect(other).toEqual([200, 200, 200, 200, 200]);
  });

  it('return Retry-After in whole seconds', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => api.as(partner.writeToken).get('/v1/me')));
    const refused = answers.find((answer) => answer.status === 429);
    if (!refused) throw new Error('60 requests at once were all accepted');
    expect(refused.body.error.code).toBe('too-many-requests');
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  });

  it('throttle failed authentications by address, and never a valid token from the same address', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const failing = await statuses('pcp_wrong', 10, headers);
    expect(failing.filter((status) => status === 401)).toHaveLength(1);
    expect(failing.filter((status) => status === 429)).toHaveLength(9);
    expect(await statuses(partner.readToken, 3, headers)).toEqual([200, 200, 200]);
    // Another address is counted separately.
    expect(await statuses('pcp_wrong', 1, { 'x-forwarded-for': '203.0.113.8' })).toEqual([401]);
  });

  it('count an IPv6 /64 as one address', async () => {
    expect(await statuses('pcp_wrong', 1, { 'x-forwarded-for': '2001:db8:1:2::1' })).toEqual([401]);
    expect(await statuses('pcp_wrong', 1, { 'x-forwarded-for': '2001:db8:1:2:ffff::9' })).toEqual([429]);
    expect(await statuses('pcp_wrong', 1, { 'x-forwarded-for': '2001:db8:1:3::1' })).toEqual([401]);
  });

  it('refuse 10,000 wrong tokens while 1,000 valid requests are served in parallel', async () => {
    const roomy = await startPartnerApi({ database: api.database, settings: { PC_AUTHFAIL_RPS: '1' } });
    try {
      const wrong = autocannon({
        url: `${roomy.url}/v1/me`,
        connections: 40,
        amount: 10_000,
        headers: { authorization: 'Bearer pcp_no' },
      });
      const good = Array.from({ length: 10 }, async () => {
        const seen = new Set<number>();
        for (let i = 0; i < 100; i++) seen.add((await roomy.as(partner.readToken).get('/v1/me')).status);
        return seen;
      });
      expect(new Set((await Promise.all(good)).flatMap((seen) => [...seen]))).toEqual(new Set([200]));
      const { statusCodeStats = {}, errors } = await wrong;
      expect([Object.keys(statusCodeStats).sort(), errors]).toEqual([['401', '429'], 0]);
      expect(Object.values(statusCodeStats).reduce((sum, { count = 0 }) => sum + count, 0)).toBe(10_000);
    } finally {
      await roomy.close();
    }
  });

  it('trust X-Forwarded-For only from trusted proxies', async () => {
    const direct = await startPartnerApi({ database: api.database, settings: { PC_AUTHFAIL_RPS: '1' } });
    try {
      const first = await direct.as('pcp_wrong').get('/v1/me', { 'x-forwarded-for': '198.51.100.1' });
      const second = await direct.as('pcp_wrong').get('/v1/me', { 'x-forwarded-for': '198.51.100.2' });
      expect([first.status, second.status]).toEqual([401, 429]);
    } finally {
      await direct.close();
    }
  });

  it.each(['PC_RATE_RPS', 'PC_RATE_BURST', 'PC_AUTHFAIL_RPS'])(
    'refuses to start with %s not greater than 0',
    async (name) => {
      for (const value of ['0', '-1', 'ten', 'NaN', 'Infinity']) {
        const start = startPartnerApi({ database: api.database, settings: { [name]: value } });
        await expect(start).rejects.toThrow(new RegExp(`${name}: must be`));
      }
    },
  );
});
