import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { partnerErrorAnswer } from '../errors/partner-error-answer.js';
import type { PartnerErrorReason } from '../errors/partner-error-reasons.js';

/**
 * Declares the error responses of a route.
 * @param reasons the values of `X-Error-Reason` that this route can return on 409 and 422, besides `validation`
 */
export function ApiErrors(statuses: readonly number[], reasons: readonly PartnerErrorReason[] = []): MethodDecorator {
  return applyDecorators(
    ...[...new Set(statuses)].sort().map((status) => ApiResponse(partnerErrorAnswer(status, reasons))),
  );
}
