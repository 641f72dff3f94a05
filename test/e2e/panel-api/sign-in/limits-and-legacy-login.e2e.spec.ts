import { LegacyLogin, type User } from '#libs/panel-auth';
import { SecretText } from '#kernel/crypto/secret-text';
import { aKey, aPanelUser, aSessionCookie } from '../../../support/builders/a-panel-user.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';

const LOGIN = '/api/v1/auth/login';
const ME = '/api/v1/auth/me';

const withPassword = async (api: RunningPanelApi) => {
  const user = await aPanelUser(api.app, 'customer');
  await api.app.get(LegacyLogin).setPassword(user.id, new SecretText('correct horse'));
  return user;
};

describe('the legacy sign-in', () => {
  let api: RunningPanelApi;
  let user: User;

  beforeAll(async () => {
    api = await startPanelApi({ settings: { LEGACY_LOGIN: 'true' } });
    user = await withPassword(api);
  });
  afterAll(() => api?.close());

  it('sets the same cookie as the sign-in with a provider, and announces its removal', async () => {
    const answer = await api.as(null).post(LOGIN, { email: user.email.toUpperCase(), password: 'correct horse' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      user: { id: user.id, email: user.email, role: 'customer' },
      expiresAt: expect.any(String),
    });
    expect(answer.headers.get('deprecation')).toMatch(/^@\d+$/);
    expect(Date.parse(answer.headers.get('sunset')!)).not.toBeNaN();
    const [line] = answer.headers.getSetCookie();
    expect(line).toMatch(/^oidc_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect((await api.as(null).get(ME, { cookie: line!.split(';')[0]! })).status).toBe(200);
    expect((await api.as(null).get('/api/v1/auth/oidc-config')).body.legacyLoginEnabled).toBe(true);
  });

  it('accepts a token once', async () => {
    const { token } = await api.app.get(LegacyLogin).issueToken(user.id);
    expect((await api.as(null).post(LOGIN, { token: token.reveal() })).body.user.id).toBe(user.id);
    expect((await api.as(null).post(LOGIN, { token: token.reveal() })).status).toBe(401);
  });

  it('gives the same refusal for every wrong credential', async () => {
    const passwordless = await aPanelUser(api.app, 'customer');
    const answers = await Promise.all(
      [
        { email: user.email, password: 'wrong' },
        { email: 'nobody@example.com', password: 'correct horse' },
        { email: passwordless.email, password: 'correct horse' },
        { token: 'pst_unknown' },
      ].map((body) => api.as(null).post(LOGIN, body)),
    );
    for (const { status, body, headers } of answers) {
      expect(status).toBe(401);
      expect(body.error).toMatchObject({ code: 'unauthorized', message: 'Sign in, or send a valid API key.' });
      expect(headers.getSetCookie()).toEqual([]);
    }
  });

  it('takes as long for an unknown user as for a known one', async () => {
    const time = async (email: string) => {
      const began = performance.now();
      await api.as(null).post(LOGIN, { email, password: 'wrong' });
      return performance.now() - began;
    };
    // Compares the fastest of several alternating tries, because other load only makes tries slower.
    const fastest = { known: Infinity, unknown: Infinity };
    for (let n = 0; n < 10; n++) {
      fastest.known = Math.min(fastest.known, await time(user.email));
      fastest.unknown = Math.min(fastest.unknown, await time('nobody@example.com'));
    }
    const { known, unknown } = fastest;
    expect(unknown / known).toBeGreaterThan(0.5);
    expect(unknown / known).toBeLessThan(2);
  });

  it.each([
    [{}, '/email'],
    [{ email: 'a@b.c' }, '/password'],
    [{ token: 7 }, '/token'],
    [{ token: '' }, '/token'],
  ])('names the missing fields of %j', async (body, path) => {
    const answer = await api.as(null).post(LOGIN, body);
    expect(answer.status).toBe(422);
    expect(answer.body.error.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  it('refuses pages of other sites and any content type but JSON', async () => {
    const body = { email: user.email, password: 'correct horse' };
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      expect((await api.as(null).post(LOGIN, body, headers as never)).status).toBe(403);
    }
    const form = `email=${user.email}&password=correct+horse`;
    for (const [raw, type] of [
      [form, 'application/x-www-form-urlencoded'],
      [JSON.stringify(body), 'application/json; charset=iso-8859-1'],
    ] as const) {
      const answer = await api.as(null).call('POST', LOGIN, { raw, headers: { 'content-type': type } });
      expect([answer.status, answer.body.error.code]).toEqual([415, 'unsupported_media_type']);
    }
  });
});

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

  /** Each test uses another address. */
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const statusesOf = async (times: number, call: () => Promise<{ status: number }>) => {
    const statuses: number[] = [];
    for (let n = 0; n < times; n++) statuses.push((await call()).status);
    return statuses;
  };

  it.each([4, 60])(
    'let a key with %s requests a minute send all of them at once, and no more',
    async (rateLimitRpm) => {
      const key = await aKey(api.app, await aPanelUser(api.app, 'admin'), { rateLimitRpm });
      const first = await api.as(key).get(ME);
      expect(first.headers.get('ratelimit-limit')).toBe(String(rateLimitRpm));
      expect(first.headers.get('ratelimit-remaining')).toBe(String(rateLimitRpm - 1));
      const answers = await Promise.all(Array.from({ length: rateLimitRpm + 14 }, () => api.as(key).get(ME)));
      expect(answers.filter((answer) => answer.status === 200)).toHaveLength(rateLimitRpm - 1);
      const refused = answers.find((answer) => answer.status === 429)!;
      expect(refused.body.error.code).toBe('rate_limited');
      expect(refused.headers.get('ratelimit-remaining')).toBe('0');
      for (const header of ['retry-after', 'ratelimit-reset']) {
        expect(Number(refused.headers.get(header))).toBeGreaterThan(30);
        expect(Number(refused.headers.get(header))).toBeLessThanOrEqual(61);
      }
    },
  );

  it('count each key and each session separately', async () => {
    const user = await aPanelUser(api.app, 'admin');
    const [one, two] = [await aSessionCookie(api.app, user), await aSessionCookie(api.app, user)];
    const statuses = await statusesOf(6, () => api.as(null).get(ME, { cookie: one }));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect((await api.as(null).get(ME, { cookie: two })).status).toBe(200);
  });

  it('throttle clients that guess keys and never those with a valid one', async () => {
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

  it('count an IPv6 /64 as one address', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 5; n++) {
      statuses.push((await api.as('pk_guess').get(ME, from(`2001:db8:1:2::${n + 1}`))).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });

  it('throttle the legacy sign-in by account and address', async () => {
    const { email } = await withPassword(api);
    const login = (password: string, address: string, spelling = email) =>
      api.as(null).post(LOGIN, { email: spelling, password }, from(address));
    expect((await login('wrong', '198.51.100.30')).status).toBe(401);
    expect((await login('wrong', '198.51.100.30')).status).toBe(401);
    expect((await login('correct horse', '198.51.100.30')).status).toBe(429);
    expect((await login('correct horse', '198.51.100.31')).status).toBe(200);
    // All spellings of the e-mail address are one account.
    const spellings = [email, email.toUpperCase(), ` ${email}`, `${email}\t`];
    const statuses: number[] = [];
    for (const spelling of spellings) statuses.push((await login('wrong', '198.51.100.32', spelling)).status);
    expect(statuses).toEqual([401, 401, 429, 429]);
  });
});
