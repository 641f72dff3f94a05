import type { SecretText } from '#kernel/crypto/secret-text';

/** How this panel is registered at the identity provider. */
export interface OidcSettings {
  /** A URL, letter for letter as the provider names itself; https, or http on a loopback address. */
  readonly issuer: string;
  readonly clientId: string;
  /** Null for a public client, which PKCE alone protects. */
  readonly clientSecret: SecretText | null;
  readonly redirectUri: URL;
  /** Where the provider sends the browser after a logout; null leaves that to the provider. */
  readonly postLogoutRedirectUri: URL | null;
  readonly scopes: readonly string[];
}

/** Asymmetric algorithms only: a shared secret, or none at all, signs nothing that we believe. */
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

/** For clocks that differ between here and the provider. */
export const CLOCK_TOLERANCE_SECONDS = 60;

/** For everything a sign-in asks of the provider, together. */
export const DEADLINE_MS = 10_000;

/** True where a provider may be asked, or a browser be sent: by TLS, or to this machine. */
export function isTrustworthy(url: URL): boolean {
  return url.protocol === 'https:' || isLoopbackHttp(url);
}

/** True for plain HTTP to this machine: the one place where it is accepted. */
export function isLoopbackHttp(url: URL): boolean {
  return url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
}
