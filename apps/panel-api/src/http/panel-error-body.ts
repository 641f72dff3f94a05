import { ApiProperty } from '@nestjs/swagger';
import type { Violation } from '#kernel/errors';
import type { ErrorBody } from '#platform/http/errors/error-body';

const CODES: Record<number, string> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'validation_failed',
  429: 'rate_limited',
  503: 'unavailable',
};

/** Slugs that every API shares and the panel words by its own table. */
const GENERIC_SLUGS = new Set(['validation', 'not-found', 'rate-limited', 'unauthorized']);

/** A domain slug in snake_case is the panel's own code; any other falls back to the code of the status. */
export function panelErrorCode(status: number, slug: string | null): string {
  if (slug && !GENERIC_SLUGS.has(slug) && status !== 500) return slug.replaceAll('-', '_');
  return CODES[status] ?? (status >= 500 ? 'internal_error' : 'bad_request');
}

export const panelErrorBody: ErrorBody = ({ status, slug, message, violations }, requestId) => ({
  error: {
    code: panelErrorCode(status, slug),
    message,
    ...errorDetails(violations),
    requestId,
  },
});

/** Every place that is wrong; nothing where none is known. */
export function errorDetails(violations: readonly Violation[]): { details?: Violation[] } {
  if (violations.length === 0) return {};
  return { details: violations.map((place) => ({ ...place, code: placeCode(place.code) })) };
}

/** `maxLength` of a rule about shapes is `max_length` here; a rule without a name is the code of the whole. */
function placeCode(code: string): string {
  if (GENERIC_SLUGS.has(code)) return 'validation_failed';
  return code.replaceAll('-', '_').replace(/[A-Z]+/g, (letters) => `_${letters.toLowerCase()}`);
}

class ErrorPlaceDto {
  @ApiProperty({
    description: 'JSON pointer into the request, empty for the whole of it; for a compose file into the file.',
    example: '/name',
  })
  path: string;

  @ApiProperty({ description: 'Stable code in snake_case.', example: 'max_length' })
  code: string;

  @ApiProperty({ example: 'name must not be empty' })
  message: string;
}

class ErrorDetailDto {
  @ApiProperty({ description: 'Stable code in snake_case.', example: 'not_found' })
  code: string;

  @ApiProperty({ description: 'For people; may change at any time.', example: 'The resource does not exist.' })
  message: string;

  @ApiProperty({ type: [ErrorPlaceDto], required: false, description: 'Every offending place, where places offend.' })
  details?: ErrorPlaceDto[];

  @ApiProperty({
    description: 'Also in `X-Request-Id`; tell it to support.',
    example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11',
  })
  requestId: string;
}

export class ErrorDto {
  @ApiProperty({ type: ErrorDetailDto })
  error: ErrorDetailDto;
}
