import { Injectable } from '@nestjs/common';
import { OidcUnconfigured, SignInRefused } from '../domain/panel-auth-errors.js';
import { IdentityProvider, type SignInChecks } from './ports/identity-provider.js';
import { Sessions, type OpenedSession } from './sessions.js';
import { SignInCookies } from './sign-in-cookies.js';
import { SignInJournal } from './sign-in-journal.js';
import { Sources } from './sources.js';
import { UserProvisioning } from './user-provisioning.js';

/** A sign-in in progress: where the browser goes, and what it must bring back. */
export interface BegunSignIn {
  readonly redirectTo: URL;
  readonly state: string;
  readonly cookie: string;
  readonly lifetimeSeconds: number;
}

export interface Callback {
  /** The registered redirect URI with the query of the callback. */
  readonly url: URL;
  /** The value that `begin` returned for this callback's state; null if the browser has none. */
  readonly cookie: string | null;
  readonly userAgent: string | null;
}

/** Sign-in with the identity provider: Authorization Code with PKCE, started and finished in the same browser. */
@Injectable()
export class SignIn {
  constructor(
    private readonly provider: IdentityProvider,
    private readonly users: UserProvisioning,
    private readonly sessions: Sessions,
    private readonly cookies: SignInCookies,
    private readonly journal: SignInJournal,
    private readonly sources: Sources,
  ) {}

  /** @throws OidcUnconfigured; IdentityProviderUnavailable if the provider is down */
  async begin(): Promise<BegunSignIn> {
    const random = () => this.sources.randomness.bytes(32).toString('base64url');
    const checks: SignInChecks = { state: random(), nonce: random(), codeVerifier: random() };
    const redirectTo = await this.provider.authorizationUrl(checks);
    const { lifetimeSeconds } = this.cookies;
    return { redirectTo, state: checks.state, cookie: this.cookies.write(checks), lifetimeSeconds };
  }

  /**
   * @throws SignInRefused if the callback does not belong to a sign-in that this browser started
   * @throws IdentityProviderUnavailable if the provider does not respond in time
   */
  async finish(callback: Callback): Promise<OpenedSession> {
    if (!this.provider.describe()) throw new OidcUnconfigured();
    try {
      return await this.admit(callback);
    } catch (error) {
      if (error instanceof SignInRefused) await this.journal.refused(error);
      throw error;
    }
  }

  private async admit({ url, cookie, userAgent }: Callback): Promise<OpenedSession> {
    const recalled = this.cookies.read(url.searchParams.get('state'), cookie);
    // Recorded before the code is redeemed: whatever the outcome, this callback cannot be used again.
    const verified = await this.provider.redeem(url, recalled.checks, this.journal.useUp(recalled));
    const { expiresInSeconds, idToken } = verified;
    const opened = await this.users.provision(verified, async (user) =>
      user.disabledAt ? null : this.sessions.open(user, { expiresInSeconds, idToken, userAgent }),
    );
    if (!opened) throw new SignInRefused('user-disabled');
    return opened;
  }
}
