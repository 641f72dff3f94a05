import { Browser } from '../../test/support/console/browser.js';
import type { OidcProvider } from '../../test/support/sign-in/oidc-provider.js';

/** A browser just before the callback. */
export interface Arrived {
  readonly browser: Browser;
  readonly callback: URL;
}

/** Goes from `start` to the provider, signs in there and stops before the callback. */
export async function walkToCallback(
  provider: OidcProvider,
  start: URL,
  redirectUri: string,
  account: string,
): Promise<Arrived> {
  const browser = new Browser();
  const isCallback = (target: URL) => target.href.startsWith(redirectUri);
  const asked = await browser.follow(start, isCallback);
  if (!asked.url.href.startsWith(provider.issuer)) throw new Error(`not sent to the provider but to ${asked.url.href}`);
  const { next } = await browser.follow(`${asked.url.href}?as=${account}`, isCallback);
  if (!next) throw new Error('the provider does not send back');
  return { browser, callback: next };
}
