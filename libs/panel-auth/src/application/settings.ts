import type { KeyCountPolicy } from '../domain/api-key.js';
import type { RolePolicy } from '../domain/user.js';

/** The choices of an installation, read once at start. */
export abstract class PanelAuthSettings {
  /**
   * The domain of the session cookie when it must reach service subdomains. Every container there is then sent the
   * cookie too, which is why a session is only accepted with its host-only companion.
   */
  abstract readonly cookieDomain: string | null;
  abstract readonly rolePolicy: RolePolicy;
  abstract readonly keyCountPolicy: KeyCountPolicy;
  /** Requests a minute that a customer may give a key at most. */
  abstract readonly customerKeyRpm: number;
  /** Whether POST /auth/login exists. */
  abstract readonly legacyLogin: boolean;
}
