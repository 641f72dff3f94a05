import { LegacyLogin } from '#libs/panel-auth';
import { SecretText } from '#kernel/secret-text';
import { aKey, aPanelUser, aSessionCookie } from '../../support/builders/a-panel-user.js';
import { startPanelApi, type RunningPanelApi } from '../../support/panel-api.js';

const ME = '/api/v1/auth/me';

describe('limits of the panel', () => {
  let api: RunningPanelApi;

  beforeAll(async () => {
    api = await startPanelApi({
      settings: {
        LEGACY_LOGIN: 'true',
        PANEL_ANONYMOUS_RPM: '6',
        PANEL_AUTHFAIL_RPM: '3',
        PANEL_SESSION_RPM: '5',
        PANEL_LOGIN_RPM: '2',
        TRUSTED_PROXIES: '127.0.0.1',
      },
    });
  });
  afterAll(() => api?.close());

  /** Each test comes from an address of its own. */
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const statusesOf = async (times: number, call: () => Promise<{ status: number }>) => {
    const statuses: number[] = [];
    for (let n = 0; n < times; n++) statuses.push((await call()).status);
    return statuses;
  };

  it.each([
    [4, 4],
    [20, 10],
    [60, 15],
    [400, 100],
  ])('let a key of %s requests a minute burst to %s', async (rateLimitRpm, burst) => {
    const key = await aKey(api.app, await aPanelUser(api.app, 'admin'), { rateLimitRpm });
    const first = await api.as(key).get(ME);
    expect(first.headers.get('ratelimit-limit')).toBe(String(rateLimitRpm));
    expect(Number(first.headers.get('ratelimit-remaining'))).toBe(burst - 1);
    const began = performance.now();
    const answers = await Promise.all(Array.from({ length: burst + 20 }, () => api.as(key).get(ME)));
    const earned = Math.ceil(((performance.now() - began) / 60_000) * rateLimitRpm) + 1;
    const accepted = answers.filter((answer) => answer.status === 200).length;
    expect(accepted).toBeGreaterThanOrEqual(burst - 1);
    expect(accepted).toBeLessThanOrEqual(burst - 1 + earned);
    const refused = answers.find((answer) => answer.status === 429)!;
    expect(refused.body.error.code).toBe('rate_limited');
    expect(refused.headers.get('ratelimit-remaining')).toBe('0');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers.get('ratelimit-reset'))).toBeGreaterThanOrEqual(1);
  });

  it('count each key and each session alone', async () => {
    const user = await aPanelUser(api.app, 'admin');
    const [one, two] = [await aSessionCookie(api.app, user), await aSessionCookie(api.app, user)];
    const statuses = await statusesOf(6, () => api.as(null).get(ME, { cookie: one }));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect((await api.as(null).get(ME, { cookie: two })).status).toBe(200);
  });

  it('slow down whoever guesses keys, and never whoever has one', async () => {
    const headers = from('198.51.100.7');
    const statuses = await statusesOf(5, () => api.as('pk_guess').get(ME, headers));
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    const key = await aKey(api.app, await aPanelUser(api.app, 'admin'));
    expect((await api.as(key).get(ME, headers)).status).toBe(200);
    expect((await api.as('pk_guess').get(ME, from('198.51.100.8'))).status).toBe(401);
  });

  it('count requests without credentials by address', async () => {
    const headers = from('198.51.100.20');
    const statuses = await statusesOf(7, () => api.as(null).get('/api/v1/auth/oidc-config', headers));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429]);
    expect((await api.as(null).get('/healthz', headers)).status).toBe(200);
  });

  it('count one IPv6 household once', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 5; n++) {
      statuses.push((await api.as('pk_guess').get(ME, from(`2001:db8:1:2::${n + 1}`))).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });

  it('brake the legacy sign-in by account and address', async () => {
    const user = await aPanelUser(api.app, 'customer');
    await api.app.get(LegacyLogin).setPassword(user.id, new SecretText('correct horse'));
    const login = (password: string, address: string) =>
      api.as(null).post('/api/v1/auth/login', { email: user.email, password }, from(address));
    expect((await login('wrong', '198.51.100.30')).status).toBe(401);
    expect((await login('wrong', '198.51.100.30')).status).toBe(401);
    expect((await login('correct horse', '198.51.100.30')).status).toBe(429);
    expect((await login('correct horse', '198.51.100.31')).status).toBe(200);
  });
});
