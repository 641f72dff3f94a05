import { SecretText } from '#kernel/crypto/secret-text';
import { LegacyLogin, Sessions, type User } from '#libs/panel-auth';
import { aCustomer, aKey, anAdminKey, aPanelUser, aSessionCookie } from '../../../support/builders/a-panel-user.js';
import { Browser } from '../../../support/console/browser.js';
import { spellings, tableDumps } from '../../../support/database-dump.js';
import type { HttpClient } from '../../../support/http/http-client.js';
import { freePort } from '../../../support/free-port.js';
import { SECRETS_KEY, startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';
import { CLIENT_ID, CLIENT_SECRET, RogueProvider } from '../../../support/sign-in/rogue-provider.js';

const ME = '/api/v1/auth/me';

describe('credentials in the wrong hands', () => {
  let rogue: RogueProvider;
  let api: RunningPanelApi;
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
        OIDC_COOKIE_DOMAIN: 'apps.example.com',
        PANEL_URL: 'https://panel.apps.example.com',
        LEGACY_LOGIN: 'true',
      },
    });
  });
  afterAll(async () => {
    await api?.close();
    await rogue?.stop();
  });

  describe('a session cookie that covers service subdomains', () => {
    it('works only together with its host-only companion, which service subdomains do not get', async () => {
      const user = await aPanelUser(api.app, 'admin');
      const { token } = await api.app.get(LegacyLogin).issueToken(user.id);
      const answer = await api.as(null).post('/api/v1/auth/login', { token: token.reveal() });
      const lines = answer.headers.getSetCookie();
      expect(lines).toHaveLength(2);
      expect(lines[0]).toMatch(
        /^oidc_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax; Domain=apps.example.com$/,
      );
      expect(lines[1]).toMatch(/^__Host-oidc_bind=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
      const [session, binding] = lines.map((line) => line.split(';')[0]!);
      expect((await api.as(null).get(ME, { cookie: `${session}; ${binding}` })).status).toBe(200);
      expect((await api.as(null).get(ME, { cookie: session! })).status).toBe(401);
      expect((await api.as(null).get(ME, { cookie: `${session}; ${binding}x` })).status).toBe(401);
      expect((await api.as(null).get(ME, { cookie: `${session}; ${binding}; ${binding}` })).status).toBe(401);
    });

    it('alone can neither sign the browser out nor get the ID token of its user', async () => {
      const user = await aPanelUser(api.app, 'admin');
      const origin = { userAgent: 'test', expiresInSeconds: 3_600, idToken: new SecretText('eyJ.id.token') };
      const { cookie, binding } = await api.app.get(Sessions).open(user, origin);
      const [session, companion] = [`oidc_session=${cookie.reveal()}`, `__Host-oidc_bind=${binding!.reveal()}`];
      const signOut = (cookies: string) =>
        api.as(null).post('/api/v1/auth/oidc/logout', undefined, { cookie: cookies, 'sec-fetch-site': 'same-origin' });
      for (const stolen of [session, `${session}; __Host-oidc_bind=guessed`]) {
        expect((await signOut(stolen)).status).toBe(200);
        expect((await api.as(null).get(ME, { cookie: `${session}; ${companion}` })).status).toBe(200);
      }
      await signOut(`${session}; ${companion}`);
      expect((await api.as(null).get(ME, { cookie: `${session}; ${companion}` })).status).toBe(401);
      const [stolen, own] = [
        await api.app.get(Sessions).open(user, origin),
        await api.app.get(Sessions).open(user, origin),
      ];
      expect(await api.app.get(Sessions).signOut(stolen.cookie, own.binding)).toBeNull();
      expect((await api.app.get(Sessions).signOut(own.cookie, own.binding))?.reveal()).toBe('eyJ.id.token');
    });

    it('cannot be used by a service on a sibling host, which sees it', async () => {
      const user = await aPanelUser(api.app, 'admin');
      const [session, binding] = (await aSessionCookie(api.app, user)).split('; ') as [string, string];
      const browser = new Browser();
      for (const [pair, domain] of [
        [session, '; Domain=apps.example.com'],
        [binding, ''],
      ] as const) {
        browser.receive(`${pair}; Path=/${domain}`, 'panel.apps.example.com');
      }
      expect(browser.cookiesFor('panel.apps.example.com')).toContain('__Host-oidc_bind=');
      const seen = browser.cookiesFor('customer-service.apps.example.com');
      expect(seen).toBe(session);
      expect((await api.as(null).get(ME, { cookie: seen })).status).toBe(401);
    });
  });

  describe('a stolen copy of the database', () => {
    const secrets = new Map<string, string>([
      ['client secret', CLIENT_SECRET],
      ['key of the key ring', SECRETS_KEY.slice(3)],
      ['access token', 'an-access-token'],
      ['refresh token', 'a-refresh-token'],
    ]);

    const signIn = async () => {
      const browser = new Browser();
      const { headers } = await browser.visit(`${new URL(redirectUri).origin}/api/v1/auth/oidc/login`);
      const asked = new URL(headers.get('location')!).searchParams;
      rogue.nonce = asked.get('nonce')!;
      const [cookie = ''] = headers.getSetCookie();
      secrets.set('sign-in cookie', cookie.split(/[=;]/)[1]!);
      secrets.set('state', asked.get('state')!).set('nonce', rogue.nonce);
      rogue.misbehaviour = { tokenResponse: { refresh_token: 'a-refresh-token' } };
      const callback = rogue.callback(redirectUri, asked.get('state')!);
      const signedIn = await browser.visit(callback, { headers: { cookie: cookie.split(';')[0]! } });
      for (const line of signedIn.headers.getSetCookie()) {
        const [name, value] = line.split(/[=;]/) as [string, string];
        if (value !== '') secrets.set(name, value);
      }
    };
    const makeKeys = async () => {
      const { user, organisation } = await aCustomer(api.app);
      const key = await aKey(api.app, user, {}, organisation.id);
      secrets.set('key', key).set('secret part of the key', key.slice(12));
      await api.as(`${key}x`).get(ME);
      const admin = api.as(await anAdminKey(api.app));
      secrets.set('key made over HTTP', (await admin.post('/api/v1/api-keys', { name: 'x' })).body.key);
      await api.as(key).post('/api/v1/secrets', { name: 'A', value: 'hunter2-hunter2' });
      secrets.set('secret of the organisation', 'hunter2-hunter2');
      return { user, admin, organisation };
    };
    const makePassword = async (user: User) => {
      await api.app.get(LegacyLogin).setPassword(user.id, new SecretText('correct horse battery'));
      secrets.set('password', 'correct horse battery');
      secrets.set('sign-in token', (await api.app.get(LegacyLogin).issueToken(user.id)).token.reveal());
    };
    const deploy = async (admin: HttpClient, customerId: string): Promise<string> => {
      const composeYaml =
        'services:\n  web:\n    image: nginx\n    environment:\n      A: compose-hunter3\n      B: ${B}\n      C: ${secret:A}\n';
      const answer = await admin.post('/api/v1/services', {
        name: 'shop',
        composeYaml,
        variables: { B: 'variable-hunter4' },
        customerId,
      });
      expect([answer.status, answer.text]).toEqual([202, answer.text]);
      secrets.set('value in a compose file', 'compose-hunter3').set('value of a variable', 'variable-hunter4');
      return answer.body.deploymentId;
    };

    it('contains nothing to sign in with or to decrypt anything, and neither do the logs', async () => {
      await signIn();
      const { user, admin, organisation } = await makeKeys();
      await makePassword(user);
      const deploymentId = await deploy(admin, organisation.id);
      // The job is sent once its deployment is stored; its payload would show in the queue's own tables.
      const isQueued = ([name, rows]: [string, string]) => name.startsWith('bullmq.') && rows.includes(deploymentId);
      let tables = await tableDumps(api.database.url);
      for (let n = 0; n < 100 && ![...tables].some(isQueued); n++) tables = await tableDumps(api.database.url);
      expect([...tables].some(isQueued)).toBe(true);
      const dump = [...tables].flat().join('\n');

      expect([...secrets.keys()]).toEqual(expect.arrayContaining(['oidc_session', '__Host-oidc_bind', 'state']));
      const found = [...secrets].filter(([, secret]) => spellings(secret).some((text) => dump.includes(text)));
      expect(found.map(([what]) => what)).toEqual([]);
      const logged = [...secrets].filter(([, secret]) => api.logs().includes(secret));
      expect(logged.map(([what]) => what)).toEqual([]);
      // Nothing that begins like a JSON Web Token, in any encoding.
      expect(dump).not.toContain('eyJ');
      expect(dump).not.toContain(Buffer.from('eyJ').toString('hex') + Buffer.from('hbGci').toString('hex'));
      for (const present of ['panel_auth.sessions', 'panel_auth.audit_log', 'services.specs', user.email]) {
        expect(dump).toContain(present);
      }
    });
  });
});
