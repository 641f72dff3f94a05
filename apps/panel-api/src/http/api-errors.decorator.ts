import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { ErrorDto, panelErrorCode } from './panel-error-body.js';

const TEXT: Record<number, string> = {
  400: 'The request is malformed.',
  401: 'No credential, or one that is unknown, expired or revoked. One text for all of them.',
  403: 'The credential lacks a permission (`forbidden`, `insufficient_role`), or a page of another site sent the request (`origin_rejected`).',
  404: 'The resource does not exist, is not yours, or lies outside the organisation of the key.',
  409: 'The state of a resource forbids the call; the code says which rule.',
  413: 'The body is larger than 1 MB.',
  415: 'The body is not JSON in UTF-8.',
  422: 'A value is missing or wrong; `details` names every offending field.',
  429: 'A rate limit is exceeded; `Retry-After` says for how long.',
  500: 'Something went wrong on our side. Nothing is half done.',
  503: 'What the route needs is not configured or does not answer; the code says which.',
};

type Headers = Record<string, { description: string; schema: { type: string } }>;

const HEADERS: Record<number, Headers> = {
  401: { 'WWW-Authenticate': { description: 'Always `Bearer`.', schema: { type: 'string' } } },
  429: {
    'Retry-After': { description: 'Whole seconds to wait, at least 1.', schema: { type: 'integer' } },
  },
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
        example: {
          error: {
            code: panelErrorCode(status, null),
            message: TEXT[status],
            requestId: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11',
          },
        },
      }),
    ),
  );
}
