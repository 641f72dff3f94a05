import { Directory } from '#libs/panel-auth';
import { Browser } from '../../../support/console/browser.js';
import { freePort } from '../../../support/free-port.js';
import { CLIENT, OidcProvider, type Account } from '../../../support/sign-in/oidc-provider.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';

const ACCOUNTS: Record<string, Account> = {
  ada: { email: 'Ada@example.com', roles: ['staff'] },
  dora: { email: 'dora@example.com', roles: ['staff'] },
  carl: { email: 'carl@example.com' },
  eve: { email: 'carl@example.com' },
  mallory: { email: 'entered@example.com', email_verified: false },
  enid: { email: 'entered@example.com' },
};

describe('signing in with a certified provider', () => {
  let provider: OidcProvider;
  let api: RunningPanelApi;
  const at = (path: string) => `${api.url}/api/v1/auth/${path}`;

  beforeAll(async () => {
    const port = await freePort();
    const redirectUri = `http://127.0.0.1:${port}/api/v1/auth/oidc/callback`;
    provider = await OidcProvider.start(ACCOUNTS, redirectUri);
    api = await startPanelApi({
      port,
      settings: {
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: CLIENT.id,
        OIDC_CLIENT_SECRET: CLIENT.secret,
        OIDC_REDIRECT_URI: redirectUri,
        OIDC_ROLE_CLAIM: 'roles',
        OIDC_ADMIN_VALUE: 'staff',
        FRONTEND_CALLBACK_URL: 'https://panel.example.com/signed-in',
      },
    });
  });
  afterAll(async () => {
    await api?.close();
    await provider?.stop();
  });

  /** Signs in at the provider and stops before the callback. @returns the callback */
  const upToCallback = async (browser: Browser, account: string): Promise<URL> => {
    const isCallback = (target: URL) => target.href.startsWith(at('oidc/callback'));
    const asked = await browser.follow(at('oidc/login'), isCallback);
    // A browser with a session at the provider is not asked again.
    return asked.next ?? (await browser.follow(`${asked.url.href}?as=${account}`, isCallback)).next!;
  };
  const signIn = async (account: string): Promise<Browser> => {
    const browser = new Browser();
    const answer = await browser.visit(await upToCallback(browser, account));
    expect(answer.headers.get('location')).toBe('https://panel.example.com/signed-in');
    return browser;
  };
  const me = async (browser: Browser) => JSON.parse((await browser.visit(at('me'))).text).user;

  it('creates a user from verified claims, with the role from the configured claim', async () => {
    expect(await me(await signIn('ada'))).toEqual({
      id: expect.any(String),
      email: 'ada@example.com',
      role: 'admin',
    });
    expect(await me(await signIn('carl'))).toMatchObject({ email: 'carl@example.com', role: 'customer' });
  });

  it('updates the role at every sign-in, and for open sessions at their next request', async () => {
    const before = await signIn('dora');
    expect(await me(before)).toMatchObject({ role: 'admin' });
    ACCOUNTS['dora'] = { email: 'dora@example.com', roles: [] };
    await signIn('dora');
    expect(await me(before)).toMatchObject({ role: 'customer' });
  });

  it('sets one opaque cookie with exactly the attributes of the contract', async () => {
    const browser = await signIn('carl');
    expect(browser.names().filter((name) => name.includes('oidc_'))).toEqual(['oidc_session']);
    const cookie = browser.cookie('oidc_session')!;
    expect(cookie.value).toMatch(/^[\w-]{43}$/);
    expect([...cookie.attributes].sort()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure']);
  });

  it('recognises users by their subject, not by their e-mail address', async () => {
    const [first, again, other] = [await signIn('carl'), await signIn('carl'), await signIn('eve')];
    expect((await me(again)).id).toBe((await me(first)).id);
    expect((await me(other)).id).not.toBe((await me(first)).id);
  });

  it('links a user that the staff created only if the provider has verified the address', async () => {
    const entered = await api.app.get(Directory).createUser('entered@example.com', 'customer');
    expect((await me(await signIn('mallory'))).id).not.toBe(entered.id);
    expect((await me(await signIn('enid'))).id).toBe(entered.id);
  });

  it('opens a new session at every sign-in, whatever cookie the browser sends', async () => {
    const browser = new Browser();
    const callback = await upToCallback(browser, 'carl');
    const answer = await browser.visit(callback, {
      headers: { cookie: `${browser.cookiesFor('127.0.0.1')}; oidc_session=fixed-by-an-attacker` },
    });
    expect(answer.status).toBe(302);
    expect(browser.cookie('oidc_session')!.value).not.toBe('fixed-by-an-attacker');
  });

  it('lets two tabs sign in side by side', async () => {
    const browser = new Browser();
    const first = await upToCallback(browser, 'carl');
    const second = await upToCallback(browser, 'carl');
    expect((await browser.visit(first)).status).toBe(302);
    expect((await browser.visit(second)).status).toBe(302);
  });

  it('accepts a callback once', async () => {
    const browser = new Browser();
    const callback = await upToCallback(browser, 'carl');
    const cookie = browser.cookiesFor('127.0.0.1');
    expect((await browser.visit(callback)).status).toBe(302);
    const replay = await new Browser().visit(callback, { headers: { cookie } });
    expect(replay.status).toBe(401);
    expect(replay.headers.getSetCookie().join()).not.toContain('oidc_session=');
  });

  it('refuses a callback in another browser, and one with the state of another sign-in', async () => {
    const victim = new Browser();
    const attacker = new Browser();
    const foreign = await upToCallback(attacker, 'eve');
    const own = await upToCallback(victim, 'carl');
    expect((await victim.visit(foreign)).status).toBe(400);
    own.searchParams.set('state', foreign.searchParams.get('state')!);
    expect((await victim.visit(own)).status).toBe(400);
    for (const query of ['', '?state=', '?code=x', '?state=a&state=b&code=x']) {
      expect((await victim.visit(at(`oidc/callback${query}`))).status).toBe(400);
    }
    expect(victim.cookie('oidc_session')).toBeUndefined();
  });

  it('never redirects to a target from the request', async () => {
    const headers = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    };
    const answer = await new Browser().visit(at('oidc/login?redirect=https://evil.example&return_to=//evil.example'), {
      headers,
    });
    const location = new URL(answer.headers.get('location')!);
    expect(location.origin).toBe(provider.issuer);
    expect(location.href).not.toContain('evil');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const path = '/api/v1/auth/oidc/logout?redirect_url=https://evil.example&post_logout_redirect_uri=//evil.example';
    const logout = await api.as(null).post(path, { redirect_url: 'https://evil.example' }, headers);
    expect(new URL(logout.body.redirect_url).origin).toBe(provider.issuer);
    expect(logout.text).not.toContain('evil');
  });

  it('signs out, returns the logout URL of the provider, and keeps other sessions', async () => {
    const [browser, elsewhere] = [await signIn('carl'), await signIn('carl')];
    const cookie = browser.cookiesFor('127.0.0.1');
    const answer = await browser.visit(at('oidc/logout'), { method: 'POST', headers: { origin: api.url } });
    expect(answer.status).toBe(200);
    const target = new URL(JSON.parse(answer.text).redirect_url);
    expect(target.origin).toBe(provider.issuer);
    expect(target.searchParams.get('id_token_hint')).toMatch(/^eyJ/);
    expect(target.searchParams.get('post_logout_redirect_uri')).toBe(`${api.url}/`);
    expect(browser.cookie('oidc_session')).toBeUndefined();
    expect((await new Browser().visit(at('me'), { headers: { cookie } })).status).toBe(401);
    expect((await elsewhere.visit(at('me'))).status).toBe(200);
    const page = await browser.follow(target);
    expect(page.status).toBe(200);
    // The state that the provider returns with is ignored, since nothing depends on it.
    const home = await browser.visit(`${api.url}/?state=of-another-logout`);
    expect([home.status, home.headers.get('location')]).toEqual([302, '/console']);
    expect(home.headers.getSetCookie()).toEqual([]);
    const again = await browser.visit(at('oidc/logout'), { method: 'POST' });
    expect(again.status).toBe(200);
    expect(JSON.parse(again.text).redirect_url).toContain(provider.issuer);
  });

  it('describes itself without a secret', async () => {
    const { body, text } = await api.as(null).get('/api/v1/auth/oidc-config');
    expect(body).toEqual({
      enabled: true,
      issuer: provider.issuer,
      clientId: CLIENT.id,
      scopes: ['openid', 'email', 'profile'],
      loginUrl: at('oidc/login'),
      logoutUrl: at('oidc/logout'),
      callbackUrl: at('oidc/callback'),
      legacyLoginEnabled: false,
    });
    expect(text).not.toContain(CLIENT.secret);
  });

  it('keeps existing sessions while the provider is down', async () => {
    const browser = await signIn('carl');
    await provider.stop();
    expect((await browser.visit(at('me'))).status).toBe(200);
    const answer = await browser.visit(at('oidc/logout'), { method: 'POST', headers: { origin: api.url } });
    expect(answer.status).toBe(200);
  });

  it('logs no token, code, cookie or secret', () => {
    for (const secret of [CLIENT.secret, 'eyJ', 'code_verifier']) expect(api.logs()).not.toContain(secret);
  });
});
