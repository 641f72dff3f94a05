import { LegacyLogin } from '#libs/panel-auth';
import { SecretText } from '#kernel/secret-text';
import { aPanelUser } from '../../support/builders/a-panel-user.js';
import { startPanelApi, type RunningPanelApi } from '../../support/panel-api.js';

const LOGIN = '/api/v1/auth/login';
const ME = '/api/v1/auth/me';

describe('the legacy sign-in', () => {
  let api: RunningPanelApi;

  beforeAll(async () => {
    api = await startPanelApi({ settings: { LEGACY_LOGIN: 'true' } });
  });
  afterAll(() => api?.close());

  const withPassword = async () => {
    const user = await aPanelUser(api.app, 'customer');
    await api.app.get(LegacyLogin).setPassword(user.id, new SecretText('correct horse'));
    return user;
  };

  it('gives the same cookie as the sign-in by provider, and says that it will go', async () => {
    const user = await withPassword();
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

  it('takes a token once', async () => {
    const user = await aPanelUser(api.app, 'admin');
    const { token } = await api.app.get(LegacyLogin).issueToken(user.id);
    expect((await api.as(null).post(LOGIN, { token: token.reveal() })).body.user.id).toBe(user.id);
    expect((await api.as(null).post(LOGIN, { token: token.reveal() })).status).toBe(401);
  });

  it('refuses in one way whatever is wrong', async () => {
    const user = await withPassword();
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

  it('works as long for an unknown user as for a known one', async () => {
    const user = await withPassword();
    const time = async (email: string) => {
      const began = performance.now();
      await api.as(null).post(LOGIN, { email, password: 'wrong' });
      return performance.now() - began;
    };
    // The fastest of several tries, taken in turn: whatever else the machine does only ever makes a try slower.
    const fastest = { known: Infinity, unknown: Infinity };
    for (let n = 0; n < 8; n++) {
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
  ])('names what is missing in %j', async (body, path) => {
    const answer = await api.as(null).post(LOGIN, body);
    expect(answer.status).toBe(422);
    expect(answer.body.error.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  it('signs nobody in from a page of another site, or with anything but JSON', async () => {
    const user = await withPassword();
    const body = { email: user.email, password: 'correct horse' };
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      expect((await api.as(null).post(LOGIN, body, headers as never)).status).toBe(403);
    }
    const form = await api.as(null).call('POST', LOGIN, {
      raw: `email=${user.email}&password=correct+horse`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(form.status).toBe(415);
  });
});
