import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Clock, SystemClock } from '#kernel/time/clock';
import { SecretText } from '#kernel/crypto/secret-text';
import { SignInRefused } from '../../libs/panel-auth/src/domain/panel-auth-errors.js';
import { OpenidClientProvider } from '../../libs/panel-auth/src/infrastructure/oidc/openid-client-provider.js';
import { DEADLINE_MS } from '../../libs/panel-auth/src/infrastructure/oidc/oidc-settings.js';
import { HONEST_CASES, ROGUE_CASES } from '../support/sign-in/rogue-cases.js';
import { CLIENT_ID, CLIENT_SECRET, RogueProvider } from '../support/sign-in/rogue-provider.js';

const REDIRECT_URI = 'http://127.0.0.1:3001/api/v1/auth/oidc/callback';
const text = () => randomBytes(32).toString('base64url');

describe('an OpenID provider behind openid-client', () => {
  let rogue: RogueProvider;

  beforeAll(async () => {
    rogue = await RogueProvider.start();
  });
  afterAll(() => rogue.stop());
  beforeEach(() => {
    rogue.misbehaviour = {};
  });

  const provider = (deadlineMs?: number, clock: Clock = new SystemClock()) =>
    new OpenidClientProvider(
      {
        issuer: rogue.issuer,
        clientId: CLIENT_ID,
        clientSecret: new SecretText(CLIENT_SECRET),
        redirectUri: new URL(REDIRECT_URI),
        postLogoutRedirectUri: new URL('http://127.0.0.1:3001/signed-out'),
        scopes: ['openid', 'email', 'profile'],
      },
      clock,
      deadlineMs,
    );
  const signIn = (
    subject = provider(),
    query: Record<string, string | undefined> = {},
    counted: Promise<void> = Promise.resolve(),
  ) => {
    const checks = { state: text(), nonce: text(), codeVerifier: text() };
    rogue.nonce = checks.nonce;
    return subject.redeem(rogue.callback(REDIRECT_URI, checks.state, query), checks, counted);
  };

  it('accepts a provider that behaves', async () => {
    const verified = await signIn();
    expect(verified).toMatchObject({
      identity: { issuer: rogue.issuer, subject: 'sub-1' },
      email: 'ada@example.com',
      emailVerified: true,
      expiresInSeconds: 3_600,
    });
  });

  it.each(HONEST_CASES.map((honest) => [honest.name, honest] as const))('accepts %s', async (_name, given) => {
    rogue.misbehaviour = given.misbehaviour;
    await expect(signIn()).resolves.toMatchObject({ email: given.email ?? 'ada@example.com' });
  });

  it.each(ROGUE_CASES.map((rogueCase) => [rogueCase.name, rogueCase] as const))('refuses %s', async (_name, given) => {
    rogue.misbehaviour = given.misbehaviour ?? {};
    await expect(signIn(provider(), given.callback)).rejects.toMatchObject({
      name: 'SignInRefused',
      reason: expect.stringMatching(given.reason),
    });
  });

  it('asks with PKCE S256, state, nonce and the registered redirect URI', async () => {
    const checks = { state: text(), nonce: text(), codeVerifier: text() };
    const url = await provider().authorizationUrl(checks);
    expect(url.origin + url.pathname).toBe(`${rogue.issuer}/authorize`);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: CLIENT_ID,
      redirect_uri: REDIRECT_URI,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      state: checks.state,
      nonce: checks.nonce,
    });
    expect(url.href).not.toContain(checks.codeVerifier);
    expect(url.href).not.toContain(CLIENT_SECRET);
  });

  it('believes a key that replaced another, and no longer the one that was withdrawn', async () => {
    const subject = provider();
    await expect(signIn(subject)).resolves.toBeDefined();
    await rogue.rotateKey('second');
    await expect(signIn(subject)).resolves.toBeDefined();
    rogue.misbehaviour = { signature: 'unpublished-key' };
    await expect(signIn(subject)).rejects.toMatchObject({ name: 'SignInRefused' });
  });

  it('asks for the keys once a sign-in, and shows the code only when the callback is counted', async () => {
    const { redemptions, keyRequests } = rogue;
    let count: () => void = () => undefined;
    const signedIn = signIn(provider(), {}, new Promise((resolve) => (count = resolve)));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(rogue.redemptions).toBe(redemptions);
    count();
    await expect(signedIn).resolves.toBeDefined();
    expect([rogue.redemptions - redemptions, rogue.keyRequests - keyRequests]).toEqual([1, 1]);
  });

  it('does not show the code of a callback that came before', async () => {
    const { redemptions } = rogue;
    const replayed = Promise.reject(new SignInRefused('callback-replayed'));
    await expect(signIn(provider(), {}, replayed)).rejects.toMatchObject({ reason: 'callback-replayed' });
    rogue.misbehaviour = { unreachable: true };
    const again = Promise.reject(new SignInRefused('callback-replayed'));
    await expect(signIn(provider(), {}, again)).rejects.toMatchObject({ reason: 'callback-replayed' });
    expect(rogue.redemptions).toBe(redemptions);
  });

  it('is refused without the keys, and believed again with them', async () => {
    rogue.misbehaviour = { keysWithheld: 1 };
    await expect(signIn()).rejects.toMatchObject({ slug: 'identity_provider_unavailable' });
    await expect(signIn()).resolves.toBeDefined();
  });

  it('refuses a provider that names itself differently or signs with nothing acceptable', async () => {
    for (const discovery of [
      { issuer: 'https://evil.example' },
      { id_token_signing_alg_values_supported: ['none', 'HS256'] },
    ]) {
      rogue.misbehaviour = { discovery };
      await expect(signIn()).rejects.toMatchObject({ slug: 'identity_provider_unavailable' });
    }
  });

  it('tells an outage from a refusal', async () => {
    rogue.misbehaviour = { token: (response) => void response.writeHead(503).end('down') };
    await expect(signIn()).rejects.toMatchObject({ slug: 'identity_provider_unavailable' });
    rogue.misbehaviour = { token: (response) => void response.destroy() };
    await expect(signIn()).rejects.toMatchObject({ slug: 'identity_provider_unavailable' });
  });

  it.each(['declared', 'undeclared', 'compressed'])('reads no more than a mebibyte of an answer, %s', async (how) => {
    const answer = { access_token: 'an-access-token', token_type: 'Bearer', padding: ' '.repeat(10 ** 7) };
    const body = Buffer.from(JSON.stringify(answer));
    rogue.misbehaviour = {
      token: (response) => {
        response.setHeader('content-type', 'application/json');
        if (how === 'undeclared') response.write(body);
        if (how === 'compressed') response.setHeader('content-encoding', 'gzip');
        response.end(how === 'declared' ? body : how === 'compressed' ? gzipSync(body) : undefined);
      },
    };
    const refused = await signIn().catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'SignInRefused', cause: { message: expect.stringContaining('1048576') } });
  });

  it('gives up on a provider that hangs', async () => {
    rogue.misbehaviour = { token: () => undefined };
    const began = Date.now();
    await expect(signIn(provider(300))).rejects.toMatchObject({ slug: 'identity_provider_unavailable' });
    expect(Date.now() - began).toBeLessThan(DEADLINE_MS);
  });

  it('goes on with what it knows when the provider is down, and says so when it knows nothing', async () => {
    const down = await RogueProvider.start();
    const settings = { clientId: CLIENT_ID, clientSecret: null, redirectUri: new URL(REDIRECT_URI) };
    const knowing = new OpenidClientProvider(
      { ...settings, issuer: down.issuer, postLogoutRedirectUri: null, scopes: ['openid'] },
      new SystemClock(),
    );
    await knowing.authorizationUrl({ state: 's', nonce: 'n', codeVerifier: text() });
    await down.stop();
    await expect(knowing.authorizationUrl({ state: 's', nonce: 'n', codeVerifier: text() })).resolves.toBeDefined();
    const ignorant = new OpenidClientProvider(
      { ...settings, issuer: down.issuer, postLogoutRedirectUri: null, scopes: ['openid'] },
      new SystemClock(),
    );
    await expect(ignorant.authorizationUrl({ state: 's', nonce: 'n', codeVerifier: text() })).rejects.toMatchObject({
      slug: 'identity_provider_unavailable',
    });
    await expect(ignorant.endSessionUrl(null)).resolves.toBeNull();
  });

  it('ends the session at the provider with the ID token as a hint', async () => {
    const url = await provider().endSessionUrl(new SecretText('the-id-token'));
    expect(url?.href.startsWith(`${rogue.issuer}/logout?`)).toBe(true);
    expect(Object.fromEntries(url!.searchParams)).toMatchObject({
      id_token_hint: 'the-id-token',
      post_logout_redirect_uri: 'http://127.0.0.1:3001/signed-out',
    });
  });

  it.each(['javascript:alert(document.cookie)', 'data:text/html,x', 'http://evil.example/logout', '/logout'])(
    'sends no browser to %s for the logout',
    async (endpoint) => {
      rogue.misbehaviour = { discovery: { end_session_endpoint: endpoint } };
      await expect(provider().endSessionUrl(null)).resolves.toBeNull();
    },
  );

  it('proves who it is by HTTP Basic, with the secret nowhere else', async () => {
    await signIn();
    const { authorization = '', form } = rogue.redeemed!;
    const [scheme, credentials = ''] = authorization.split(' ');
    // RFC 6749, 2.3.1: both halves are form-encoded before they are joined.
    const halves = Buffer.from(credentials, 'base64').toString().split(':').map(decodeURIComponent);
    expect([scheme, ...halves]).toEqual(['Basic', CLIENT_ID, CLIENT_SECRET]);
    expect([...form.keys()].sort()).toEqual(['code', 'code_verifier', 'grant_type', 'redirect_uri']);
  });
});
