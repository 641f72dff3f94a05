import type { SecretText } from '#kernel/crypto/secret-text';
import type { ProviderIdentity } from '../../domain/user.js';

/** The values that tie a callback to the browser and the request it began with. */
export interface SignInChecks {
  readonly state: string;
  readonly nonce: string;
  /** RFC 7636, sent as its S256 hash. */
  readonly codeVerifier: string;
}

/** What the provider vouches for, after every check. */
export interface VerifiedSignIn {
  readonly identity: ProviderIdentity;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly claims: Readonly<Record<string, unknown>>;
  /** Kept for the logout alone. */
  readonly idToken: SecretText;
  /** `expires_in` of the token response, in seconds; null when it was not told. */
  readonly expiresInSeconds: number | null;
}

/** What a browser application may know of the provider. */
export interface ProviderDescription {
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
}

export abstract class IdentityProvider {
  /** Null when no provider is configured; the other methods then throw OidcUnconfigured. */
  abstract describe(): ProviderDescription | null;
  /** @throws IdentityProviderUnavailable when the provider does not answer and nothing is known of it yet */
  abstract authorizationUrl(checks: SignInChecks): Promise<URL>;
  /**
   * Redeems the code of a callback.
   * @param callback the URL the browser came back to, as it was asked for, with its query
   * @param counted what must have happened before the provider is shown the code; its error is thrown as it is
   * @throws SignInRefused when anything about the answer is not as it must be
   * @throws IdentityProviderUnavailable when the provider does not answer in time
   */
  abstract redeem(callback: URL, checks: SignInChecks, counted: Promise<void>): Promise<VerifiedSignIn>;
  /** Where the browser ends its session at the provider; null when the provider offers that nowhere or is down. */
  abstract endSessionUrl(idToken: SecretText | null): Promise<URL | null>;
}
