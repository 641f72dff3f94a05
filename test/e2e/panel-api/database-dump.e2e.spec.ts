import { LegacyLogin } from '#libs/panel-auth';
import { SecretText } from '#kernel/secret-text';
import { aCustomer, aKey, anAdminKey } from '../../support/builders/a-panel-user.js';
import { Browser } from '../../support/browser.js';
import { databaseDump, spellings } from '../../support/database-dump.js';
import { freePort } from '../../support/free-port.js';
import { SECRETS_KEY, startPanelApi } from '../../support/panel-api.js';
import { CLIENT_ID, CLIENT_SECRET, RogueProvider } from '../../support/rogue-provider.js';

describe('a stolen copy of the database', () => {
  it('contains nothing that signs anybody in, and neither do the logs', async () => {
    const rogue = await RogueProvider.start();
    const port = await freePort();
    const redirectUri = `http://127.0.0.1:${port}/api/v1/auth/oidc/callback`;
    const provider = {
      OIDC_ISSUER: rogue.issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_REDIRECT_URI: redirectUri,
      OIDC_COOKIE_DOMAIN: 'apps.example.com',
      PANEL_URL: 'https://panel.apps.example.com',
    };
    const api = await startPanelApi({ port, settings: { ...provider, LEGACY_LOGIN: 'true' } });
    const secrets = new Map<string, string>([
      ['client secret', CLIENT_SECRET],
      ['key of the key ring', SECRETS_KEY.slice(3)],
    ]);
    const browser = new Browser();
    const at = (path: string) => `http://127.0.0.1:${port}/api/v1/auth/${path}`;
    const { headers } = await browser.visit(at('oidc/login'));
    const asked = new URL(headers.get('location')!).searchParams;
    rogue.nonce = asked.get('nonce')!;
    for (const cookie of headers.getSetCookie()) secrets.set('sign-in cookie', cookie.split(/[=;]/)[1]!);
    secrets.set('state', asked.get('state')!).set('nonce', rogue.nonce);
    const signedIn = await browser.visit(rogue.callback(redirectUri, asked.get('state')!), {
      headers: { cookie: headers.getSetCookie()[0]!.split(';')[0]! },
    });
    for (const cookie of signedIn.headers.getSetCookie()) {
      const [name, value] = cookie.split(/[=;]/) as [string, string];
      if (value !== '') secrets.set(name, value);
    }
    const { user, organisation } = await aCustomer(api.app);
    const key = await aKey(api.app, user, {}, organisation.id);
    secrets.set('key', key).set('secret part of the key', key.slice(12));
    const made = await api.as(await anAdminKey(api.app)).post('/api/v1/api-keys', { name: 'x' });
    secrets.set('key made over HTTP', made.body.key);
    await api.as(key).post('/api/v1/secrets', { name: 'A', value: 'hunter2-hunter2' });
    secrets.set('secret of the organisation', 'hunter2-hunter2');
    await api.app.get(LegacyLogin).setPassword(user.id, new SecretText('correct horse battery'));
    secrets.set('password', 'correct horse battery');
    secrets.set('sign-in token', (await api.app.get(LegacyLogin).issueToken(user.id)).token.reveal());
    secrets.set('access token', 'an-access-token');
    await api.as(`${key}x`).get('/api/v1/auth/me');
    await api.app.close();

    const dump = await databaseDump(api.database.url);
    await api.database.drop();
    await rogue.stop();
    expect([...secrets.keys()]).toEqual(expect.arrayContaining(['oidc_session', '__Host-oidc_bind', 'state']));
    const found = [...secrets].filter(([, secret]) => spellings(secret).some((text) => dump.includes(text)));
    expect(found.map(([what]) => what)).toEqual([]);
    const logged = [...secrets].filter(([, secret]) => api.logs().includes(secret));
    expect(logged.map(([what]) => what)).toEqual([]);
    // Nothing that begins like a JSON Web Token, in clear or in bytes.
    expect(dump).not.toContain('eyJ');
    expect(dump).not.toContain(Buffer.from('eyJ').toString('hex') + Buffer.from('hbGci').toString('hex'));
    expect(dump).toContain('panel_auth.sessions');
    expect(dump).toContain(user.email);
  });
});
