import type { SecretText } from '#kernel/crypto/secret-text';

/** How this panel is registered at the identity provider. */
export interface OidcSettings {
  /** A URL, exactly as the provider names itself; https, or http on a loopback address. */
  readonly issuer: string;
  readonly clientId: string;
  /** Null for a public client, which only PKCE protects. */
  readonly clientSecret: SecretText | null;
  readonly redirectUri: URL;
  /** Where the provider sends the browser after a logout; null leaves that to the provider. */
  readonly postLogoutRedirectUri: URL | null;
  readonly scopes: readonly string[];
}

/** Asymmetric algorithms only: signatures with a shared secret, or none, are not accepted. */
export const ID_TOKEN_ALGORITHMS: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Allowed difference between our clock and the provider's. */
export const CLOCK_TOLERANCE_SECONDS = 60;

/** Time limit for all requests of one sign-in to the provider together. */
export const DEADLINE_MS = 10_000;

/** True if a provider may be called, or a browser sent there: by TLS, or on this machine. */
export function isTrustworthy(url: URL): boolean {
  return url.protocol === 'https:' || isLoopbackHttp(url);
}

/** True for plain HTTP on this machine, the only place where it is accepted. */
export function isLoopbackHttp(url: URL): boolean {
  return url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
}
