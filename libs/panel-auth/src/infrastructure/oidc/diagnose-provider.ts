import { allowInsecureRequests, customFetch, discovery } from 'openid-client';
import { boundedFetch } from './bounded-fetch.js';
import { isLoopbackHttp } from './oidc-settings.js';
import { withoutData } from './provider-failures.js';

const DEADLINE_MS = 5_000;

/** What the doctor says of a provider: null when it answers and calls itself by this issuer, else what is wrong. */
export async function diagnoseProvider(issuer: string): Promise<string | null> {
  const url = new URL(issuer);
  try {
    await discovery(url, 'doctor', undefined, undefined, {
      [customFetch]: boundedFetch(AbortSignal.timeout(DEADLINE_MS)),
      execute: isLoopbackHttp(url) ? [allowInsecureRequests] : [],
    });
    return null;
  } catch (error) {
    return withoutData(error).message;
  }
}
