import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';

/** What a provider does wrong. Omitted fields mean correct behaviour. */
export interface Misbehaviour {
  /** Replaces claims of the ID token. The value undefined removes a claim. */
  claims?: (honest: JWTPayload) => Record<string, unknown>;
  /** How the ID token is signed. */
  signature?: 'none' | 'unpublished-key' | 'cut-off' | 'changed' | 'no-kid' | 'unlisted-algorithm';
  /** Which of its two published keys it signs with. Defaults to ES256. */
  algorithm?: 'ES256' | 'RS256';
  /** Number of published keys in addition to the right one. */
  extraKeys?: number;
  /** Replaces members of the token response. */
  tokenResponse?: Record<string, unknown>;
  /** Answers instead of the token endpoint. */
  token?: (response: ServerResponse) => void;
  /** How many of the next requests for its keys are answered with 503. */
  keysWithheld?: number;
  userinfo?: Record<string, unknown>;
  discovery?: Record<string, unknown>;
  /** Closes every connection without an answer. */
  unreachable?: boolean;
}

export const CLIENT_ID = 'panel';
export const CLIENT_SECRET = 'a-client-secret-nobody-may-see';

/** A handmade provider that signs in anybody and misbehaves as configured. */
export class RogueProvider {
  misbehaviour: Misbehaviour = {};
  /** The nonce for the next ID token: that of the current sign-in. */
  nonce = '';
  /** Number of requests to the token endpoint. */
  redemptions = 0;
  /** Number of requests for its keys. */
  keyRequests = 0;
  /** The last request to the token endpoint. */
  redeemed: { authorization: string | undefined; form: URLSearchParams } | null = null;
  private rsa: Promise<SigningKey> | null = null;

  private constructor(
    readonly issuer: string,
    private readonly server: ReturnType<typeof createServer>,
    private key: SigningKey,
    private readonly strangers: readonly JWK[],
  ) {}

  static async start(): Promise<RogueProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const strangers = await Promise.all([newKey('stranger-1'), newKey('stranger-2')]);
    const provider = new RogueProvider(
      issuer,
      server,
      await newKey('first'),
      strangers.map((key) => key.jwk),
    );
    server.on('request', (request, response) => void provider.answer(request, response));
    return provider;
  }

  /** Withdraws the signing key and signs with a new one from now on. */
  async rotateKey(kid: string): Promise<void> {
    this.key = await newKey(kid);
  }

  /** The callback URL after a successful sign-in. A code `nonce.…` yields an ID token with that nonce. */
  callback(redirectUri: string, state: string, change: Record<string, string | undefined> = {}): URL {
    const url = new URL(redirectUri);
    const query = { code: 'a-code', state, iss: this.issuer, ...change };
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    return url;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.misbehaviour.unreachable) return void response.destroy();
    const path = (request.url ?? '').split('?')[0];
    if (path === '/.well-known/openid-configuration') return json(response, this.discovery());
    if (path === '/jwks') {
      this.keyRequests++;
      if ((this.misbehaviour.keysWithheld ?? 0) < 1) return json(response, { keys: await this.published() });
      this.misbehaviour.keysWithheld!--;
      return void response.writeHead(503).end();
    }
    if (path === '/userinfo') return json(response, { sub: 'sub-1', ...this.misbehaviour.userinfo });
    if (path !== '/token') return void response.writeHead(404).end();
    this.redemptions++;
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
    this.redeemed = { authorization: request.headers.authorization, form };
    if (this.misbehaviour.token) return this.misbehaviour.token(response);
    const honest = { access_token: 'an-access-token', token_type: 'Bearer', expires_in: 3_600 };
    return json(response, {
      ...honest,
      id_token: await this.idToken(form.get('code')),
      ...this.misbehaviour.tokenResponse,
    });
  }

  private discovery(): Record<string, unknown> {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/userinfo`,
      end_session_endpoint: `${issuer}/logout`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256', 'RS256', 'none', 'HS256'],
      authorization_response_iss_parameter_supported: true,
      code_challenge_methods_supported: ['S256'],
      ...this.misbehaviour.discovery,
    };
  }

  private async published(): Promise<JWK[]> {
    const rsa = this.rsa ? [(await this.rsa).jwk] : [];
    return [this.key.jwk, ...rsa, ...this.strangers.slice(0, this.misbehaviour.extraKeys ?? 0)];
  }

  private async idToken(code: string | null): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const honest: JWTPayload = {
      iss: this.issuer,
      aud: CLIENT_ID,
      sub: 'sub-1',
      nonce: /^nonce\.(.+)$/.exec(code ?? '')?.[1] ?? this.nonce,
      iat: now,
      exp: now + 300,
      email: 'ada@example.com',
      email_verified: true,
    };
    const claims = JSON.parse(JSON.stringify({ ...honest, ...this.misbehaviour.claims?.(honest) })) as JWTPayload;
    return this.sign(claims);
  }

  private async sign(claims: JWTPayload): Promise<string> {
    const { signature, algorithm = 'ES256' } = this.misbehaviour;
    if (signature === 'none') return new UnsecuredJWT(claims).encode();
    if (signature === 'unlisted-algorithm') {
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(CLIENT_SECRET.padEnd(32)));
    }
    const own = algorithm === 'RS256' ? await (this.rsa ??= newKey('rsa', 'RS256')) : this.key;
    const key = signature === 'unpublished-key' ? await newKey(own.jwk.kid!, algorithm) : own;
    const kid = signature === 'no-kid' ? undefined : key.jwk.kid;
    const token = await new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid }).sign(key.private);
    const at = token.lastIndexOf('.') + 1;
    if (signature === 'cut-off') return token.slice(0, at);
    return signature === 'changed' ? token.slice(0, at) + [...token.slice(at)].reverse().join('') : token;
  }
}

interface SigningKey {
  readonly private: CryptoKey;
  readonly jwk: JWK;
}

async function newKey(kid: string, alg = 'ES256'): Promise<SigningKey> {
  const pair = await generateKeyPair(alg, { extractable: true });
  return { private: pair.privateKey, jwk: { ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' } };
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
