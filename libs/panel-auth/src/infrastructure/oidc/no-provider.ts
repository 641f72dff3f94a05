import { IdentityProvider, type VerifiedSignIn } from '../../application/ports/identity-provider.js';
import { OidcUnconfigured } from '../../domain/panel-auth-errors.js';

/** The identity provider of an installation without one. */
export class NoProvider extends IdentityProvider {
  describe(): null {
    return null;
  }

  authorizationUrl(): Promise<URL> {
    return Promise.reject(new OidcUnconfigured());
  }

  redeem(): Promise<VerifiedSignIn> {
    return Promise.reject(new OidcUnconfigured());
  }

  endSessionUrl(): Promise<null> {
    return Promise.resolve(null);
  }
}
