import { ApiProperty } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { wordProblem, type ErrorBody } from '#platform/http/errors/error-body';
import type { Problem } from '#platform/problem';

const CODES: Record<number, string> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  409: 'conflict',
  413: 'payload-too-large',
  415: 'unsupported-media-type',
  422: 'unprocessable-entity',
  429: 'too-many-requests',
};

/** The public code is fixed by the status; what exactly went wrong is told by `X-Error-Reason` and the message. */
export function partnerErrorCode(status: number): string {
  return CODES[status] ?? (status >= 500 ? 'internal-error' : 'bad-request');
}

export const partnerErrorBody: ErrorBody = ({ status, message }) => ({
  error: { code: partnerErrorCode(status), message },
});

/** Gives the reply status and headers of a request that is refused outside the routes; the body is returned. */
export function wordRefusal(reply: FastifyReply, problem: Problem): string {
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer');
  return wordProblem(reply, problem, partnerErrorBody);
}

class ErrorDetailDto {
  @ApiProperty({ description: 'Stable slug, fixed by the status.', example: 'not-found' })
  code: string;

  @ApiProperty({ description: 'For people; may change at any time.', example: 'The resource does not exist.' })
  message: string;
}

export class ErrorDto {
  @ApiProperty({ type: ErrorDetailDto })
  error: ErrorDetailDto;
}
