import type { ErrorEntry } from '#platform/openapi/error-catalog';

const entry = (status: number, code: string, message: string, cause: string, cure: string): ErrorEntry => ({
  status,
  code,
  message,
  cause,
  cure,
});

/** Every `code` of this API. It is fixed by the status; on 409 and 422 `X-Error-Reason` is more specific. */
export const PARTNER_ERROR_CODES: readonly ErrorEntry[] = [
  entry(
    400,
    'bad-request',
    'The request is malformed.',
    'The body is not valid JSON, or the request breaks the rules of HTTP.',
    'Correct the request. The same request fails again.',
  ),
  entry(
    401,
    'unauthorized',
    'A valid API token is required.',
    'The token is missing, malformed, unknown or revoked. The response does not say which.',
    'Send `Authorization: Bearer pcp_…` with a valid token.',
  ),
  entry(
    403,
    'forbidden',
    'This token may only read.',
    'A token with scope `read` called a route that changes something.',
    'Use a token with scope `write`.',
  ),
  entry(
    404,
    'not-found',
    'The resource does not exist.',
    'The resource does not exist or is outside your subtree, or the path is unknown.',
    'Check the id and the path. Ids are UUIDs, never numbers such as `L-42`.',
  ),
  entry(
    405,
    'method-not-allowed',
    'The path does not support PUT.',
    'The path exists, but not with this method.',
    'Use a method listed in the `Allow` header.',
  ),
  entry(
    409,
    'conflict',
    'The license is terminated.',
    'The state of a resource does not allow the call.',
    'Read `X-Error-Reason`, and read the resource again.',
  ),
  entry(
    413,
    'payload-too-large',
    'The body is larger than this API accepts.',
    'The body is larger than 256 KB.',
    'Send a smaller body.',
  ),
  entry(
    415,
    'unsupported-media-type',
    'The body must be JSON (Content-Type: application/json).',
    'The body is not JSON in UTF-8.',
    'Send `Content-Type: application/json`.',
  ),
  entry(
    422,
    'unprocessable-entity',
    'name must not be empty',
    'A value is missing or invalid. Nothing was changed.',
    'The message names every invalid field; `X-Error-Reason` names the rule.',
  ),
  entry(
    429,
    'too-many-requests',
    'Too many requests. Try again in 1 s.',
    'The rate limit of the token, or of failed authentications from this address, is exceeded.',
    'Wait for the seconds in `Retry-After`.',
  ),
  entry(
    500,
    'internal-error',
    'Something went wrong on our side.',
    'An error on our side. Nothing was left half done.',
    'Quote the `X-Request-Id` when you contact support.',
  ),
  entry(
    503,
    'internal-error',
    'The service is temporarily unavailable. Try again shortly.',
    'A dependency is not responding. Nothing was left half done.',
    'Repeat the request after a few seconds; for a POST, use the same `Idempotency-Key`.',
  ),
];
