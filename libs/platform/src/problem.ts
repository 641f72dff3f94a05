import { HttpException } from '@nestjs/common';
import {
  Conflict,
  DomainError,
  Invalid,
  RateLimited,
  Unavailable,
  type ErrorKind,
  type Violation,
} from '#kernel/errors';
import { isDatabaseUnavailable } from './database/database-errors.js';

/** The only table that maps the kind of a domain error to an HTTP status. */
const STATUS: Record<ErrorKind, number> = {
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  invalid: 422,
  'rate-limited': 429,
  unavailable: 503,
};

/** An error as it is sent; each API only formats the body. */
export interface Problem {
  readonly status: number;
  /** Our stable slug; null for errors of the framework. */
  readonly slug: string | null;
  /** Public: contains no internals and no secret. */
  readonly message: string;
  readonly violations: readonly Violation[];
  /** Headers of the response, such as `Retry-After` and `Allow`. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An error at the HTTP level: method, media type, size, malformed body. */
export class HttpRefusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'HttpRefusal';
  }
}

const PUBLIC_TEXT: Record<number, string> = {
  400: 'The request is malformed.',
  404: 'The resource does not exist.',
  405: 'The path does not support this method.',
  408: 'The request took too long to arrive.',
  413: 'The body is larger than this API accepts.',
  414: 'The URL is too long.',
  415: 'The body must be JSON (Content-Type: application/json).',
  417: 'The expectation cannot be met.',
  431: 'The headers are too large.',
  503: 'The service is temporarily unavailable. Try again shortly.',
};

/** `X-Error-Reason`, only on 409 and 422. */
export function reasonHeader({ status, slug }: Problem): Record<string, string> {
  return slug && (status === 409 || status === 422) ? { 'x-error-reason': slug } : {};
}

export function plainProblem(status: number, headers: Readonly<Record<string, string>> = {}): Problem {
  const message =
    PUBLIC_TEXT[status] ?? (status >= 500 ? 'Something went wrong on our side.' : 'The request was refused.');
  return { status, slug: null, message, violations: [], headers };
}

/** What a caller may learn about a thrown value. Unknown errors become a 500 without details. */
export function problemOf(error: unknown): Problem {
  if (error instanceof DomainError) {
    const seconds = error instanceof RateLimited || error instanceof Unavailable ? error.retryAfterSeconds : null;
    const headers: Record<string, string> =
      seconds === null ? {} : { 'retry-after': String(Math.max(1, Math.ceil(seconds))) };
    const violations = error instanceof Invalid || error instanceof Conflict ? error.violations : [];
    return { status: STATUS[error.kind], slug: error.slug, message: error.message, violations, headers };
  }
  if (error instanceof HttpRefusal) {
    return { status: error.status, slug: null, message: error.message, violations: [], headers: error.headers };
  }
  if (error instanceof HttpException) return plainProblem(error.getStatus());
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  // Only Fastify's own errors have such a code. The statusCode of another library must not become ours.
  const fromFastify = String((error as { code?: unknown } | null)?.code).startsWith('FST_');
  if (fromFastify && typeof status === 'number' && status >= 400 && status < 500) return plainProblem(status);
  return isDatabaseUnavailable(error) ? plainProblem(503, { 'retry-after': '1' }) : plainProblem(500);
}
