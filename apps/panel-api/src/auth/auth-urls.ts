/** The addresses that belong to sign-in, all fixed by settings: no request can choose where a browser is sent. */
export abstract class AuthUrls {
  abstract readonly login: string;
  abstract readonly logout: string;
  /** As it is registered at the identity provider. */
  abstract readonly callback: string | null;
  /** The page of the frontend that the browser is sent to after the sign-in. */
  abstract readonly afterSignIn: string;
  /** Where the browser is sent after a logout that does not involve the identity provider. */
  abstract readonly afterLogout: string;
}
