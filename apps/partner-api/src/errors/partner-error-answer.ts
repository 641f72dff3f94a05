import type { ApiResponseOptions } from '@nestjs/swagger';
import { errorResponse, type ErrorEntry } from '#platform/openapi/error-catalog';
import { PARTNER_ERROR_CODES } from './partner-error-codes.js';
import { PARTNER_ERROR_REASONS, type PartnerErrorReason } from './partner-error-reasons.js';

/** A route's error response for a status: body, codes, headers and examples. */
export function partnerErrorAnswer(status: number, reasons: readonly PartnerErrorReason[] = []): ApiResponseOptions {
  const entries = PARTNER_ERROR_CODES.filter((known) => known.status === status);
  const [entry] = entries;
  if (!entry) throw new Error(`no error code stands for the status ${status}`);
  const named = reasonsOf(status, reasons);
  return errorResponse({
    status,
    description: [entry.cause, ...named.map(({ code, cause }) => `\`${code}\`: ${cause}`)].join('\n\n'),
    entries,
    headers: headersOf(status, named),
    example: ({ code, message }) => ({ error: { code, message: named[0]?.message ?? message } }),
  });
}

function reasonsOf(status: number, reasons: readonly PartnerErrorReason[]): readonly ErrorEntry[] {
  const wanted = new Set<string>(['validation', ...reasons]);
  return PARTNER_ERROR_REASONS.filter((known) => known.status === status && wanted.has(known.code));
}

const RETRY_AFTER = {
  'Retry-After': {
    description: 'Whole seconds to wait, at least 1.',
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 86_400 },
  },
};

function headersOf(status: number, reasons: readonly ErrorEntry[]): Record<string, object> {
  if (status === 401)
    return { 'WWW-Authenticate': { description: 'Always `Bearer`.', schema: { type: 'string', enum: ['Bearer'] } } };
  if (status === 429 || status === 503) return RETRY_AFTER;
  if (reasons.length === 0) return {};
  const schema = { type: 'string', enum: reasons.map(({ code }) => code) };
  return { 'X-Error-Reason': { description: 'Stable slug of the broken rule.', schema } };
}
