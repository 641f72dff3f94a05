import { customFetch, setJwksCache, type Configuration, type ExportedJWKSCache } from 'openid-client';
import { isTrustworthy } from './oidc-settings.js';

/** From this age on the library asks again when the keys it was given do not have the one that it looks for. */
const REPLACEABLE_SECONDS = 60;

/**
 * Gives the configuration of one sign-in the provider's keys as they are now, so that they are there when the token is.
 * Should the provider not give them, the library asks when it needs them, and tells what is wrong with the answer.
 */
export async function takeKeys(config: Configuration): Promise<void> {
  const { jwks_uri: address } = config.serverMetadata();
  const fetch = config[customFetch];
  // What the library would not go to is not gone to here either.
  if (!address || !fetch || !URL.canParse(address) || !isTrustworthy(new URL(address))) return;
  try {
    const headers = { accept: 'application/json, application/jwk-set+json' };
    const response = await fetch(address, { method: 'GET', headers, redirect: 'manual', body: null });
    if (response.status !== 200) return;
    const jwks = (await response.json()) as ExportedJWKSCache['jwks'];
    setJwksCache(config, { jwks, uat: Math.floor(Date.now() / 1000) - REPLACEABLE_SECONDS });
  } catch {
    // As if nobody had asked.
  }
}
