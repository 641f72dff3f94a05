import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { applyProblem, type ErrorBody } from '#platform/http/errors/error-body';
import { ERROR_BODY } from '#platform/openapi/error-catalog';
import type { Problem } from '#platform/problem';
import { PARTNER_ERROR_CODES } from '../errors/partner-error-codes.js';

const CODES = new Map(PARTNER_ERROR_CODES.map(({ status, code }) => [status, code]));

/** The status determines the public code; `X-Error-Reason` and the message are more specific. */
export function partnerErrorCode(status: number): string {
  return CODES.get(status) ?? (status >= 500 ? 'internal-error' : 'bad-request');
}

export const partnerErrorBody: ErrorBody = ({ status, message }) => ({
  error: { code: partnerErrorCode(status), message },
});

/** Sets status and headers for a request that is refused outside the routes; returns the body. */
export function wordRefusal(reply: FastifyReply, problem: Problem): string {
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer');
  return applyProblem(reply, problem, partnerErrorBody);
}

@ApiSchema({ name: 'ErrorDetail' })
class ErrorDetailDto {
  @ApiProperty({
    enum: [...new Set(PARTNER_ERROR_CODES.map(({ code }) => code))],
    enumName: 'ErrorCode',
    description: 'Stable slug, fixed by the status.',
    example: 'not-found',
  })
  code: string;

  @ApiProperty({
    maxLength: 100_000,
    description: 'For humans; may change at any time.',
    example: 'The resource does not exist.',
  })
  message: string;
}

@ApiSchema({ name: ERROR_BODY })
export class ErrorDto {
  @ApiProperty({ type: ErrorDetailDto })
  error: ErrorDetailDto;
}
