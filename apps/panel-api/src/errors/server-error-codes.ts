import type { ErrorEntry } from '#platform/openapi/error-catalog';
import { entry } from './error-entry.js';

/** Errors of this server, or of a program that it depends on. */
export const SERVER_ERROR_CODES: readonly ErrorEntry[] = [
  entry(
    500,
    'internal_error',
    'Something went wrong on our side.',
    'An error on our side. Nothing was left half done.',
    'Quote the `requestId` when you contact support.',
  ),
  entry(
    503,
    'unavailable',
    'The service is temporarily unavailable. Try again shortly.',
    'The database is not responding.',
    'Repeat the request after `Retry-After`.',
  ),
  entry(
    503,
    'not_ready',
    'This process is not ready.',
    '`/readyz`: the database or the queue is not responding.',
    'Send requests to another instance.',
  ),
  entry(
    503,
    'oidc_unconfigured',
    'Sign-in with OpenID Connect is not configured.',
    'This installation has no identity provider.',
    'Configure `OIDC_ISSUER`, or use an API key.',
  ),
  entry(
    503,
    'identity_provider_unavailable',
    'The identity provider is not responding.',
    'The identity provider is not responding.',
    'Try again shortly.',
  ),
  entry(
    503,
    'ai_provider_unconfigured',
    'No AI provider is configured.',
    'This installation has no AI provider.',
    'Configure `AI_BASE_URL`.',
  ),
  entry(
    503,
    'docker_unavailable',
    'The Docker Engine is not responding.',
    'The Docker Engine is not responding.',
    'Repeat the request after `Retry-After`.',
  ),
  entry(
    503,
    'rotation_failed',
    'The database did not accept the new password; the old one is still valid.',
    'The database did not change its password.',
    'Try again once the database is healthy.',
  ),
  entry(
    503,
    'queue_unavailable',
    'The job queue is not responding.',
    'The job queue is not responding.',
    'Repeat the request after `Retry-After`.',
  ),
  entry(
    503,
    'compose_parser_busy',
    'Too many compose files are being parsed at the moment.',
    'The panel is busy parsing other compose files.',
    'Repeat the request after `Retry-After`.',
  ),
  entry(
    503,
    'compose_parser_failed',
    'The compose file could not be read at the moment.',
    'The compose parser was interrupted.',
    'Repeat the request after `Retry-After`.',
  ),
];
