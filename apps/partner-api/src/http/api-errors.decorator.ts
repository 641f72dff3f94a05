import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { ErrorDto, partnerErrorCode } from './partner-error-body.js';

const TEXT: Record<number, string> = {
  400: 'The body is not valid JSON.',
  401: 'The token is missing, malformed, unknown or revoked. One text for all of them.',
  403: 'A read token was used on a write route.',
  404: 'The resource does not exist or lies outside the subtree of the caller.',
  409: 'The state of a resource forbids the call; `X-Error-Reason` says which rule.',
  413: 'The body is larger than 256 KB.',
  415: 'The body is not JSON in UTF-8.',
  422: 'A value is missing or wrong; the message names every offending field, `X-Error-Reason` the rule.',
  429: 'The rate limit of the token, or of failed authentications from this address, is exceeded.',
  500: 'Something went wrong on our side. Nothing is half done.',
};

const HEADERS: Record<number, Record<string, { description: string; schema: { type: string } }>> = {
  401: { 'WWW-Authenticate': { description: 'Always `Bearer`.', schema: { type: 'string' } } },
  409: { 'X-Error-Reason': { description: 'Stable slug of the broken rule.', schema: { type: 'string' } } },
  422: { 'X-Error-Reason': { description: 'Stable slug of the broken rule.', schema: { type: 'string' } } },
  429: { 'Retry-After': { description: 'Whole seconds to wait, at least 1.', schema: { type: 'integer' } } },
};

/** Declares the error answers of a route; each has the one error body. */
export function ApiErrors(...statuses: number[]): MethodDecorator {
  return applyDecorators(
    ...[...new Set(statuses)].sort().map((status) =>
      ApiResponse({
        status,
        type: ErrorDto,
        description: TEXT[status] ?? `Status ${status}.`,
        headers: HEADERS[status],
        example: { error: { code: partnerErrorCode(status), message: TEXT[status] } },
      }),
    ),
  );
}
