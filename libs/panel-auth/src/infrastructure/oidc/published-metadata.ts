import { allowInsecureRequests, customFetch, discovery, type ServerMetadata } from 'openid-client';
import { boundedFetch } from './bounded-fetch.js';
import { ID_TOKEN_ALGORITHMS, isLoopbackHttp } from './oidc-settings.js';

/**
 * The provider's published metadata, validated: the issuer matches, and it signs with an accepted algorithm.
 * @throws Error if it does not respond in time or correctly
 */
export async function publishedMetadata(issuer: string, clientId: string, deadlineMs: number): Promise<ServerMetadata> {
  const url = new URL(issuer);
  const config = await discovery(url, clientId, undefined, undefined, {
    [customFetch]: boundedFetch(AbortSignal.timeout(deadlineMs)),
    execute: isLoopbackHttp(url) ? [allowInsecureRequests] : [],
  });
  const metadata = JSON.parse(JSON.stringify(config.serverMetadata())) as ServerMetadata;
  // RFC 8414 and Discovery 1.0: RS256 is the default.
  const offered = metadata.id_token_signing_alg_values_supported ?? ['RS256'];
  const accepted = offered.filter((algorithm) => ID_TOKEN_ALGORITHMS.includes(algorithm));
  if (accepted.length === 0) throw new Error('the provider signs ID tokens with no algorithm that is accepted here');
  return { ...metadata, id_token_signing_alg_values_supported: accepted };
}
