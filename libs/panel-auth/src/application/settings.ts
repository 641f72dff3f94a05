import type { KeyCountPolicy } from '../domain/api-key.js';
import type { RolePolicy } from '../domain/user.js';

/** The choices of an installation, read once at start. */
export abstract class PanelAuthSettings {
  /**
   * The domain of the session cookie if it must reach service subdomains. Every container there then gets the cookie
   * too, which is why a session is only accepted with its host-only companion.
   */
  abstract readonly cookieDomain: string | null;
  abstract readonly rolePolicy: RolePolicy;
  abstract readonly keyCountPolicy: KeyCountPolicy;
  /** The highest rate, in requests a minute, that a customer may give a key. */
  abstract readonly customerKeyRpm: number;
  /** Whether POST /auth/login exists. */
  abstract readonly legacyLogin: boolean;
}
