import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { Violation } from '#kernel/errors';
import type { ErrorBody } from '#platform/http/errors/error-body';
import { ERROR_BODY } from '#platform/openapi/error-catalog';
import { DETAIL_CODES, detailCode } from '../errors/detail-codes.js';
import { PANEL_ERROR_CODES } from '../errors/panel-error-codes.js';

/** The generic code of each status. */
const CODES = new Map(PANEL_ERROR_CODES.toReversed().map(({ status, code }) => [status, code]));

/** Slugs shared by all APIs, for which the panel uses its own codes. */
const GENERIC_SLUGS = new Set(['validation', 'not-found', 'rate-limited', 'unauthorized']);

/** A domain slug in snake_case is the panel's own code; any other falls back to the code of the status. */
export function panelErrorCode(status: number, slug: string | null): string {
  if (slug && !GENERIC_SLUGS.has(slug) && status !== 500) return slug.replaceAll('-', '_');
  return CODES.get(status) ?? (status >= 500 ? 'internal_error' : 'bad_request');
}

export const panelErrorBody: ErrorBody = ({ status, slug, message, violations }, requestId) => ({
  error: {
    code: panelErrorCode(status, slug),
    message: withoutNul(message),
    ...errorDetails(violations),
    requestId,
  },
});

/** One entry per violation. Omitted if there is none. */
export function errorDetails(violations: readonly Violation[]): { details?: Violation[] } {
  if (violations.length === 0) return {};
  return {
    details: violations.map(({ path, code, message }) => ({
      path,
      code: detailCode(code),
      message: withoutNul(message),
    })),
  };
}

/** A message may quote input of the caller, but no text of the API may contain NUL. */
const withoutNul = (text: string): string => text.replaceAll('\u0000', '\uFFFD');

@ApiSchema({ name: 'ErrorPlace' })
class ErrorPlaceDto {
  @ApiProperty({
    format: 'json-pointer',
    maxLength: 100_000,
    description: 'JSON pointer into the request, or into the compose file. Empty for the whole document.',
    example: '/name',
  })
  path: string;

  @ApiProperty({
    enum: Object.keys(DETAIL_CODES),
    enumName: 'ErrorPlaceCode',
    description: 'Why the value is refused.',
    example: 'too_long',
  })
  code: string;

  @ApiProperty({ maxLength: 10_000, example: 'name must have at most 200 characters' })
  message: string;
}

@ApiSchema({ name: 'ErrorDetail' })
class ErrorDetailDto {
  @ApiProperty({
    enum: PANEL_ERROR_CODES.map(({ code }) => code),
    enumName: 'ErrorCode',
    description: 'Stable code in snake_case.',
    example: 'not_found',
  })
  code: string;

  @ApiProperty({ description: 'For humans; may change at any time.', example: 'The resource does not exist.' })
  message: string;

  @ApiProperty({ type: [ErrorPlaceDto], required: false, description: 'One entry per invalid field, if any.' })
  details?: ErrorPlaceDto[];

  @ApiProperty({
    maxLength: 200,
    description: 'Also in `X-Request-Id`. Quote it when you contact support.',
    example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11',
  })
  requestId: string;
}

@ApiSchema({ name: ERROR_BODY })
export class ErrorDto {
  @ApiProperty({ type: ErrorDetailDto })
  error: ErrorDetailDto;
}
