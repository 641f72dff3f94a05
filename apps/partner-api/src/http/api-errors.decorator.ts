import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { partnerErrorAnswer } from '../errors/partner-error-answer.js';
import type { PartnerErrorReason } from '../errors/partner-error-reasons.js';

/**
 * Declares the error answers of a route; each has the one error body.
 * @param reasons the rules of 409 and 422 that this route can name in `X-Error-Reason`, besides `validation`
 */
export function ApiErrors(statuses: readonly number[], reasons: readonly PartnerErrorReason[] = []): MethodDecorator {
  return applyDecorators(
    ...[...new Set(statuses)].sort().map((status) => ApiResponse(partnerErrorAnswer(status, reasons))),
  );
}
