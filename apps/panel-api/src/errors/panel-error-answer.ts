import type { ApiResponseOptions } from '@nestjs/swagger';
import { errorResponse, type ErrorEntry } from '#platform/openapi/error-catalog';
import { PANEL_ERROR_CODES } from './panel-error-codes.js';

const EXAMPLE_ID = '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11';

const RETRY_AFTER = {
  'Retry-After': {
    description: 'Whole seconds to wait, at least 1.',
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 86_400 },
  },
};

const HEADERS: Readonly<Record<number, Record<string, object>>> = {
  401: { 'WWW-Authenticate': { description: 'Always `Bearer`.', schema: { type: 'string', enum: ['Bearer'] } } },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};

/** The documented error response of a status: body, codes, headers and examples. */
export function panelErrorAnswer(status: number): ApiResponseOptions {
  const entries = PANEL_ERROR_CODES.filter((known) => known.status === status);
  if (entries.length === 0) throw new Error(`no error code stands for the status ${status}`);
  return errorResponse({
    status,
    description: entries.map(({ code, cause }) => `\`${code}\`: ${cause}`).join('\n\n'),
    entries,
    headers: HEADERS[status] ?? {},
    example,
  });
}

function example({ code, message }: ErrorEntry): object {
  const details = code === 'validation_failed' ? { details: [{ path: '/name', code: 'required', message }] } : {};
  return { error: { code, message, ...details, requestId: EXAMPLE_ID } };
}
