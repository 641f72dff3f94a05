import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import type { DomainError } from '#kernel/errors';
import { IdentityProviderUnavailable, SignInRefused } from '../../domain/panel-auth-errors.js';

const TIMEOUT = 'OAUTH_TIMEOUT';

/** Distinguishes a provider that is down (try again later) from a response that must not be accepted (start again). */
export function asSignInFailure(error: unknown): DomainError {
  if (error instanceof SignInRefused || error instanceof IdentityProviderUnavailable) return error;
  const cause = withoutData(error);
  if (isOutage(error)) return new IdentityProviderUnavailable(cause);
  if (error instanceof AuthorizationResponseError) return new SignInRefused(`provider-said-${error.error}`, cause);
  if (error instanceof ResponseBodyError) return new SignInRefused(`token-refused-${error.error}`, cause);
  const code = error instanceof ClientError ? error.code : undefined;
  return new SignInRefused(code?.toLowerCase().replaceAll('_', '-') ?? 'response-not-accepted', cause);
}

/**
 * What happened, for the log. The causes of the library's errors contain whole responses: tokens, claims and codes,
 * which must not be logged.
 */
export function withoutData(error: unknown): Error {
  const messages: string[] = [];
  for (let link = error as FailureLink | undefined; link?.message !== undefined; link = link.cause) {
    messages.push(link.message);
  }
  return new Error(messages.join(': ') || 'unknown failure');
}

const OUTAGE_NAMES = ['TimeoutError', 'AbortError'];

function isOutage(error: unknown): boolean {
  // fetch wraps connection errors, and openid-client wraps what fetch throws.
  for (let link = error as FailureLink | undefined; link; link = link.cause) {
    if (OUTAGE_NAMES.includes(link.name ?? '') || link.message === 'fetch failed' || link.code === TIMEOUT) return true;
    if (link.status !== undefined && link.status >= 500) return true;
  }
  return false;
}

/** The parts of errors and responses in a chain of causes that may be logged. */
interface FailureLink {
  readonly name?: string;
  readonly message?: string;
  readonly code?: string;
  readonly status?: number;
  readonly cause?: FailureLink;
}
