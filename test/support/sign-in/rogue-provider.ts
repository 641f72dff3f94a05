import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';

/** Everything that a provider can do wrong, each left out for one that behaves. */
export interface Misbehaviour {
  /** Replaces claims of the ID token; undefined as a value removes one. */
  claims?: (honest: JWTPayload) => Record<string, unknown>;
  /** How the ID token is signed. */
  signature?: 'none' | 'unpublished-key' | 'cut-off' | 'changed' | 'no-kid' | 'unlisted-algorithm';
  /** Which of its two published keys it signs with; ES256 when left out. */
  algorithm?: 'ES256' | 'RS256';
  /** Keys that are published besides the right one. */
  extraKeys?: number;
  /** Replaces members of the token response. */
  tokenResponse?: Record<string, unknown>;
  /** Answers instead of the token endpoint. */
  token?: (response: ServerResponse) => void;
  /** So many of the next questions for its keys it answers with 503. */
  keysWithheld?: number;
  userinfo?: Record<string, unknown>;
  discovery?: Record<string, unknown>;
  /** Breaks every connection off. */
  unreachable?: boolean;
}

export const CLIENT_ID = 'panel';
export const CLIENT_SECRET = 'a-client-secret-nobody-may-see';

/** A hand-made provider that signs in anybody, and lies as it is told. */
export class RogueProvider {
  misbehaviour: Misbehaviour = {};
  /** What the next token endpoint call must answer: the nonce of the sign-in that is under way. */
  nonce = '';
  /** How often the token endpoint was asked. */
  redemptions = 0;
  /** How often its keys were asked for. */
  keyRequests = 0;
  /** What the token endpoint was asked last. */
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

  /** The URL a browser is sent back to after it agreed. A code `nonce.…` gives an ID token with that nonce. */
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
