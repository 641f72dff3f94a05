import pg from 'pg';
import { Directory } from '#libs/panel-auth';
import { Browser } from '../../../support/console/browser.js';
import { ShiftedClock } from '../../../support/fixed-clock.js';
import { freePort } from '../../../support/free-port.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';
import { HONEST_CASES, ROGUE_CASES } from '../../../support/sign-in/rogue-cases.js';
import { CLIENT_ID, CLIENT_SECRET, RogueProvider } from '../../../support/sign-in/rogue-provider.js';

describe('a panel whose provider misbehaves', () => {
  let rogue: RogueProvider;
  let api: RunningPanelApi;
  let database: pg.Client;
  let redirectUri: string;

  beforeAll(async () => {
    rogue = await RogueProvider.start();
    const port = await freePort();
    redirectUri = `http://127.0.0.1:${port}/api/v1/auth/oidc/callback`;
    api = await startPanelApi({
      port,
      settings: {
        OIDC_ISSUER: rogue.issuer,
        OIDC_CLIENT_ID: CLIENT_ID,
        OIDC_CLIENT_SECRET: CLIENT_SECRET,
        OIDC_REDIRECT_URI: redirectUri,
      },
    });
    database = new pg.Client({ connectionString: api.database.url });
    await database.connect();
  });
  afterAll(async () => {
    await database?.end();
    await api?.close();
    await rogue?.stop();
  });
  beforeEach(() => {
    rogue.misbehaviour = {};
  });

  const sessions = async () => Number((await database.query('select count(*) from panel_auth.sessions')).rows[0].count);
  const latestRefusal = async () =>
    (await database.query("select detail->>'reason' as reason from panel_auth.audit_log order by seq desc limit 1"))
      .rows[0].reason as string;
  const comeBack = async (browser = new Browser(), change: Record<string, string | undefined> = {}) => {
    const { headers } = await browser.visit(`${api.url}/api/v1/auth/oidc/login`);
    const asked = new URL(headers.get('location')!).searchParams;
    rogue.nonce = asked.get('nonce')!;
    return browser.visit(rogue.callback(redirectUri, asked.get('state')!, change));
  };
  const emails = async () =>
    (await database.query<{ email: string }>('select email from panel_auth.users order by created_at')).rows;

  it.each([{ name: 'a provider that behaves', misbehaviour: {} }, ...HONEST_CASES].map((c) => [c.name, c] as const))(
    'makes a session for %s, so that a refusal below means something',
    async (_name, given) => {
      const before = await sessions();
      rogue.misbehaviour = given.misbehaviour;
      const browser = new Browser();
      expect((await comeBack(browser)).status).toBe(302);
      expect(browser.cookie('oidc_session')).toBeDefined();
      expect(await sessions()).toBe(before + 1);
    },
  );

  it('opens a session if the provider has just replaced its key, and none for the previous key', async () => {
    const { headers } = await new Browser().visit(`${api.url}/api/v1/auth/oidc/login`);
    const asked = new URL(headers.get('location')!).searchParams;
    await rogue.rotateKey('second');
    const cookie = headers.getSetCookie()[0]!.split(';')[0]!;
    const callback = rogue.callback(redirectUri, asked.get('state')!, { code: `nonce.${asked.get('nonce')!}` });
    expect((await new Browser().visit(callback, { headers: { cookie } })).status).toBe(302);
    rogue.misbehaviour = { signature: 'unpublished-key' };
    expect((await comeBack()).status).toBe(401);
  });

  it.each(ROGUE_CASES.map((given) => [given.name, given] as const))(
    'makes no session for %s, and records why',
    async (_name, given) => {
      const before = await sessions();
      rogue.misbehaviour = given.misbehaviour ?? {};
      const browser = new Browser();
      const answer = await comeBack(browser, given.callback);
      expect(answer.status).toBe(401);
      expect(JSON.parse(answer.text).error).toMatchObject({
        code: 'unauthorized',
        message: 'Sign in, or send a valid API key.',
      });
      expect(browser.cookie('oidc_session')).toBeUndefined();
      expect(await sessions()).toBe(before);
      expect(await latestRefusal()).toMatch(given.reason);
    },
  );

  it.each([
    [undefined, 900],
    [0, 0],
    [1, 1],
    ['120', 120],
    [3_600, 3_600],
    [10 ** 12, 315_360_000],
  ])('ends a session whose expires_in is %s after %s seconds', async (expiresIn, seconds) => {
    rogue.misbehaviour = { tokenResponse: { expires_in: expiresIn } };
    expect((await comeBack()).status).toBe(302);
    const { rows } = await database.query(
      'select extract(epoch from expires_at - created_at)::int as seconds from panel_auth.sessions order by created_at desc limit 1',
    );
    expect(rows[0].seconds).toBe(seconds);
  });

  it('calls the token endpoint once per callback, and not at all for a replay', async () => {
    const browser = new Browser();
    const { headers } = await browser.visit(`${api.url}/api/v1/auth/oidc/login`);
    const asked = new URL(headers.get('location')!).searchParams;
    rogue.nonce = asked.get('nonce')!;
    const callback = rogue.callback(redirectUri, asked.get('state')!);
    const cookie = browser.cookiesFor('127.0.0.1');
    const before = rogue.redemptions;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => new Browser().visit(callback, { headers: { cookie } })),
    );
    expect(answers.filter((answer) => answer.status === 302)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(7);
    expect(rogue.redemptions).toBe(before + 1);
  });

  /** Several callbacks at the same time, each with its own sign-in. */
  const together = async (browsers: number, subjectOf: (nonce: string) => string, email: string) => {
    rogue.misbehaviour = { claims: ({ nonce }) => ({ sub: subjectOf(nonce as string), email }) };
    const callbacks = await Promise.all(
      Array.from({ length: browsers }, async () => {
        const browser = new Browser();
        const { headers } = await browser.visit(`${api.url}/api/v1/auth/oidc/login`);
        const asked = new URL(headers.get('location')!).searchParams;
        const code = { code: `nonce.${asked.get('nonce')!}` };
        return [browser, rogue.callback(redirectUri, asked.get('state')!, code)] as const;
      }),
    );
    return Promise.all(callbacks.map(async ([browser, callback]) => (await browser.visit(callback)).status));
  };

  it('creates one user for a first sign-in in several tabs at the same time', async () => {
    expect(await together(6, () => 'grace', 'grace@example.com')).toEqual(Array.from({ length: 6 }, () => 302));
    expect((await emails()).filter(({ email }) => email === 'grace@example.com')).toHaveLength(1);
  });

  it('links a user that the staff created to only one subject, even with concurrent sign-ins', async () => {
    const entered = await api.app.get(Directory).createUser('entered@example.com', 'admin');
    expect(await together(6, (nonce) => nonce, entered.email)).toEqual(Array.from({ length: 6 }, () => 302));
    const { rows } = await database.query(
      `select u.role, count(distinct s.id)::int as sessions from panel_auth.users u
         join panel_auth.sessions s on s.user_id = u.id where u.email = $1 group by u.id order by u.role`,
      [entered.email],
    );
    expect(rows).toEqual(
      ['admin', ...Array.from({ length: 5 }, () => 'customer')].map((role) => ({ role, sessions: 1 })),
    );
  });

  it('answers 503 while the token endpoint is down', async () => {
    rogue.misbehaviour = { token: (response) => void response.destroy() };
    const answer = await comeBack();
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.text).error.code).toBe('identity_provider_unavailable');
  });

  it('forgets a sign-in after ten minutes', async () => {
    const { rows } = await database.query(
      "select min(expires_at) > now() + interval '8 minutes' as later from panel_auth.used_sign_ins",
    );
    expect(rows[0].later).toBe(true);
    const answer = await new Browser().visit(`${api.url}/api/v1/auth/oidc/login`);
    expect(answer.headers.getSetCookie().join()).toMatch(
      /^__Host-oidc_tx\.[\w-]+=[\w-]+; Path=\/; HttpOnly; Secure; SameSite=Lax; Max-Age=600$/,
    );
  });
});

describe('a panel without a provider', () => {
  let api: RunningPanelApi;

  beforeAll(async () => {
    api = await startPanelApi();
  });
  afterAll(() => api?.close());

  it('answers so on sign-in and on the callback', async () => {
    for (const path of ['login', 'callback', 'callback?code=a&state=b']) {
      const { status, body } = await api.as(null).get(`/api/v1/auth/oidc/${path}`);
      expect(status).toBe(503);
      expect(body.error.code).toBe('oidc_unconfigured');
    }
  });

  it('describes itself with nulls and still signs out', async () => {
    expect((await api.as(null).get('/api/v1/auth/oidc-config')).body).toEqual({
      enabled: false,
      issuer: null,
      clientId: null,
      scopes: null,
      loginUrl: null,
      logoutUrl: null,
      callbackUrl: null,
      legacyLoginEnabled: false,
    });
    const { status, body } = await api.as(null).post('/api/v1/auth/oidc/logout');
    expect(status).toBe(200);
    expect(body).toEqual({ redirect_url: `${api.url}/` });
  });

  it('has no legacy sign-in unless it is switched on', async () => {
    for (const body of [{ email: 'a@b.c', password: 'x' }, {}]) {
      expect((await api.as(null).post('/api/v1/auth/login', body)).status).toBe(404);
    }
  });
});

describe('a panel whose provider is down from the start', () => {
  it('answers 503 on sign-in while it is down or has another issuer, and recovers by itself', async () => {
    const rogue = await RogueProvider.start();
    const [port, clock] = [await freePort(), new ShiftedClock()];
    const redirectUri = `http://127.0.0.1:${port}/api/v1/auth/oidc/callback`;
    const settings = { OIDC_ISSUER: rogue.issuer, OIDC_CLIENT_ID: 'panel', OIDC_REDIRECT_URI: redirectUri };
    const api = await startPanelApi({ port, clock, settings });
    for (const misbehaviour of [{ unreachable: true }, { discovery: { issuer: 'https://evil.example' } }]) {
      rogue.misbehaviour = misbehaviour;
      const { status, body } = await api.as(null).get('/api/v1/auth/oidc/login');
      expect([status, body.error.code]).toEqual([503, 'identity_provider_unavailable']);
      clock.advance(3_000);
    }
    rogue.misbehaviour = {};
    expect((await api.as(null).get('/api/v1/auth/oidc/login')).status).toBe(302);
    await api.close();
    await rogue.stop();
  });
});
