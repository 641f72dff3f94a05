import type { SecretText } from '#kernel/crypto/secret-text';
import type { ProviderIdentity } from '../../domain/user.js';

/** The values that tie a callback to the browser and the request that started it. */
export interface SignInChecks {
  readonly state: string;
  readonly nonce: string;
  /** RFC 7636, sent as its S256 hash. */
  readonly codeVerifier: string;
}

/** What the provider asserts about the user, after every check. */
export interface VerifiedSignIn {
  readonly identity: ProviderIdentity;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly claims: Readonly<Record<string, unknown>>;
  /** Kept only for the logout. */
  readonly idToken: SecretText;
  /** `expires_in` of the token response, in seconds; null if missing. */
  readonly expiresInSeconds: number | null;
}

/** What a browser application may know of the provider. */
export interface ProviderDescription {
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
}

export abstract class IdentityProvider {
  /** Null if no provider is configured; the other methods then throw OidcUnconfigured. */
  abstract describe(): ProviderDescription | null;
  /** @throws IdentityProviderUnavailable if the provider does not respond and its metadata are not known yet */
  abstract authorizationUrl(checks: SignInChecks): Promise<URL>;
  /**
   * Redeems the code of a callback.
   * @param callback the requested URL with its query
   * @param counted runs before the provider gets the code; its error is thrown as it is
   * @throws SignInRefused if anything about the response is invalid
   * @throws IdentityProviderUnavailable if the provider does not respond in time
   */
  abstract redeem(callback: URL, checks: SignInChecks, counted: Promise<void>): Promise<VerifiedSignIn>;
  /** Where the browser ends its session at the provider; null if the provider offers no logout or is down. */
  abstract endSessionUrl(idToken: SecretText | null): Promise<URL | null>;
}
