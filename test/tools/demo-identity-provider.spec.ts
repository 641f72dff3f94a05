import { createHash, randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { decodeJwt } from 'jose';
import { launch, pause, type Launched } from './launcher.js';
import { instancePorts } from './ports.js';

const root = resolve(__dirname, '..', '..');
const PANEL = 'http://127.0.0.1:1';
const REDIRECT = `${PANEL}/api/v1/auth/oidc/callback`;

describe('the local identity provider', () => {
  let issuer: string;
  let provider: Launched;
  let settings: Record<string, string>;

  beforeAll(async () => {
    const port = (await instancePorts()).IDP_PORT ?? '';
    issuer = `http://127.0.0.1:${port}`;
    const client = { OIDC_CLIENT_ID: 'panel', OIDC_CLIENT_SECRET: 'a-secret', OIDC_REDIRECT_URI: REDIRECT };
    settings = { IDP_PORT: port, OIDC_ISSUER: issuer, PANEL_URL: PANEL, ...client };
    provider = launch(['tools/demo-idp.mjs'], { root, settings });
    for (let attempt = 0; attempt < 200; attempt++) {
      if (
        await fetch(`${issuer}/.well-known/openid-configuration`).then(
          (answer) => answer.ok,
          () => false,
        )
      )
        return;
      await pause(50);
    }
    throw new Error(`the provider did not start: ${provider.stderr}`);
  });
  afterAll(() => provider.end('SIGTERM'));

  it.each([
    ['demo-admin', 'admin@demo.example', ['admin']],
    ['demo-customer', 'customer@demo.example', ['customer']],
  ])('signs %s in with one click', async (account, email, roles) => {
    const browser = new Browser();
    const verifier = randomBytes(32).toString('base64url');
    const signIn = await browser.follow(`${issuer}/auth?${authorization(verifier)}`);
    expect(await signIn.answer.text()).toContain(`value="${account}"`);

    const back = await browser.follow(`${signIn.url}?account=${account}`, 'POST');
    const code = new URL(back.url).searchParams.get('code') ?? '';
    expect(back.url.startsWith(REDIRECT)).toBe(true);

    const tokens = await exchange(code, verifier);
    expect(tokens.expires_in).toBe(8 * 60 * 60);
    expect(decodeJwt(tokens.id_token)).toMatchObject({ sub: account, email, email_verified: true, roles, nonce: 'n' });
    expect(decodeJwt(tokens.id_token).name).toEqual(expect.any(String));

    const end = new URLSearchParams({ id_token_hint: tokens.id_token, post_logout_redirect_uri: `${PANEL}/` });
    const signOut = await browser.follow(`${issuer}/session/end?${end.toString()}`);
    expect(await signOut.answer.text()).toContain("yes.name = 'logout'");
  });

  it('refuses a client with a wrong secret', async () => {
    const body = new URLSearchParams({ grant_type: 'authorization_code', code: 'x', redirect_uri: REDIRECT });
    const authorization = `Basic ${Buffer.from('panel:wrong').toString('base64')}`;
    const answer = await fetch(`${issuer}/token`, { method: 'POST', body, headers: { authorization } });
    expect(answer.status).toBe(401);
  });

  it('never runs in production', async () => {
    const production = launch(['tools/demo-idp.mjs'], { root, settings: { ...settings, NODE_ENV: 'production' } });
    const { code, stderr } = await production.finished;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^identity-provider: anybody may sign in here/m);
  });

  const authorization = (verifier: string): string =>
    new URLSearchParams({
      client_id: 'panel',
      response_type: 'code',
      redirect_uri: REDIRECT,
      scope: 'openid email profile',
      state: 's',
      nonce: 'n',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }).toString();

  async function exchange(code: string, verifier: string): Promise<{ id_token: string; expires_in: number }> {
    const grant = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: verifier };
    const credentials = Buffer.from('panel:a-secret').toString('base64');
    const headers = { authorization: `Basic ${credentials}` };
    const answer = await fetch(`${issuer}/token`, { method: 'POST', headers, body: new URLSearchParams(grant) });
    return (await answer.json()) as { id_token: string; expires_in: number };
  }
});

/** Keeps cookies and follows redirects, up to the one that leaves the provider for the panel. */
class Browser {
  readonly #cookies = new Map<string, string>();

  async follow(url: string, method = 'GET'): Promise<{ url: string; answer: Response }> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { method, headers: { cookie }, redirect: 'manual' });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      this.#cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (!location) return { url, answer };
    const next = new URL(location, url).href;
    return next.startsWith(PANEL) ? { url: next, answer } : this.follow(next);
  }
}
