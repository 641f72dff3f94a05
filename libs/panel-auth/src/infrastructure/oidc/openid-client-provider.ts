import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  clockTolerance,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  type ClientAuth,
  type IDToken,
  type ServerMetadata,
} from 'openid-client';
import { Clock } from '#kernel/time/clock';
import { SecretText } from '#kernel/crypto/secret-text';
import {
  IdentityProvider,
  type ProviderDescription,
  type SignInChecks,
  type VerifiedSignIn,
} from '../../application/ports/identity-provider.js';
import { SignInRefused } from '../../domain/panel-auth-errors.js';
import { normalisedEmail } from '../../domain/user.js';
import { boundedFetch } from './bounded-fetch.js';
import { assertFreshAndMatching } from './id-token-checks.js';
import {
  CLOCK_TOLERANCE_SECONDS,
  DEADLINE_MS,
  isTrustworthy,
  isLoopbackHttp,
  type OidcSettings,
} from './oidc-settings.js';
import { asSignInFailure } from './provider-failures.js';
import { ProviderMetadata } from './provider-metadata.js';

/** Any compliant OpenID provider, through openid-client. */
export class OpenidClientProvider extends IdentityProvider {
  private readonly metadata: ProviderMetadata;

  constructor(
    private readonly settings: OidcSettings,
    private readonly clock: Clock,
    /** Time limit for all requests of one sign-in to the provider together. */
    private readonly deadlineMs = DEADLINE_MS,
  ) {
    super();
    this.metadata = new ProviderMetadata(settings, clock, deadlineMs);
  }

  describe(): ProviderDescription {
    const { issuer, clientId, scopes } = this.settings;
    return { issuer, clientId, scopes };
  }

  async authorizationUrl(checks: SignInChecks): Promise<URL> {
    return buildAuthorizationUrl(await this.configuration(), {
      redirect_uri: this.settings.redirectUri.href,
      scope: this.settings.scopes.join(' '),
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await calculatePKCECodeChallenge(checks.codeVerifier),
      code_challenge_method: 'S256',
    });
  }

  async redeem(callback: URL, checks: SignInChecks, counted: Promise<void>): Promise<VerifiedSignIn> {
    const prepared = this.configuration();
    prepared.catch(() => undefined); // told below, unless something else is
    await counted;
    const config = await prepared;
    try {
      const tokens = await authorizationCodeGrant(config, callback, {
        pkceCodeVerifier: checks.codeVerifier,
        expectedState: checks.state,
        expectedNonce: checks.nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims || !tokens.id_token) throw new SignInRefused('no-id-token');
      assertFreshAndMatching(tokens.id_token, claims, tokens.access_token, this.clock.now());
      const profile = await this.profile(config, claims, tokens.access_token);
      return {
        identity: { issuer: claims.iss, subject: claims.sub },
        email: emailOf(profile),
        emailVerified: profile['email_verified'] === true,
        claims: profile,
        idToken: new SecretText(tokens.id_token),
        expiresInSeconds: tokens.expires_in ?? null,
      };
    } catch (error) {
      throw asSignInFailure(error);
    }
  }

  async endSessionUrl(idToken: SecretText | null): Promise<URL | null> {
    const { clientId, postLogoutRedirectUri } = this.settings;
    try {
      const config = await this.configuration();
      if (!config.serverMetadata().end_session_endpoint) return null;
      const url = buildEndSessionUrl(config, {
        ...(idToken ? { id_token_hint: idToken.reveal() } : { client_id: clientId }),
        ...(postLogoutRedirectUri ? { post_logout_redirect_uri: postLogoutRedirectUri.href } : {}),
      });
      // A frontend sends the browser there with an ID token: whatever a provider publishes, only over TLS.
      return isTrustworthy(url) ? url : null;
    } catch {
      // The session here has ended already; a provider that is down must not make a logout fail.
      return null;
    }
  }

  /** The ID token's claims, with those of the userinfo endpoint if the ID token has no address. */
  private async profile(config: Configuration, claims: IDToken, accessToken: string): Promise<Record<string, unknown>> {
    if (claims['email'] !== undefined || !config.serverMetadata().userinfo_endpoint) return { ...claims };
    return { ...(await fetchUserInfo(config, accessToken, claims.sub)), ...claims };
  }

  /**
   * A new configuration for every sign-in: it has its own deadline and no cached keys, so that a replaced key is
   * accepted at once and a withdrawn one is not.
   */
  private async configuration(): Promise<Configuration> {
    const metadata = await this.metadata.get();
    const { clientId, issuer } = this.settings;
    const config = new Configuration(
      metadata,
      clientId,
      { [clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      this.authentication(metadata),
    );
    // The library's own limit applies to each request.
    config.timeout = 0;
    config[customFetch] = boundedFetch(AbortSignal.timeout(this.deadlineMs));
    if (isLoopbackHttp(new URL(issuer))) allowInsecureRequests(config);
    // In the code flow the library relies on TLS for the token's origin; we verify the signature anyway.
    enableNonRepudiationChecks(config);
    return config;
  }

  private authentication(metadata: ServerMetadata): ClientAuth {
    const secret = this.settings.clientSecret?.reveal();
    if (secret === undefined) return None();
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return methods.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret);
  }
}

function emailOf(profile: Record<string, unknown>): string {
  const email = profile['email'];
  try {
    return normalisedEmail(typeof email === 'string' ? email : '');
  } catch (error) {
    throw new SignInRefused('no-email', error);
  }
}
