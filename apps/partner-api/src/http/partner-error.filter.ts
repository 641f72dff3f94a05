import { Catch, Injectable, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { sendProblem } from '#platform/http/errors/error-body';
import { logProblem } from '#platform/http/errors/log-problem';
import { ReplayedResponse, sendReplayedResponse } from '#platform/idempotency/idempotency.interceptor';
import { problemOf, reasonHeader } from '#platform/problem';
import { partnerErrorBody } from './partner-error-body.js';

/** Sends every error as `{error:{code,message}}`. */
@Injectable()
@Catch()
export class PartnerErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (error instanceof ReplayedResponse) return sendReplayedResponse(reply, error.answer);
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const problem = problemOf(error);
    logProblem(this.logger, request, problem, error);
    if (reply.raw.headersSent) {
      // The response has begun, so the only way to report the error is to break the connection.
      reply.raw.destroy();
      return;
    }
    if (problem.status === 401) reply.header('www-authenticate', 'Bearer');
    reply.headers(reasonHeader(problem));
    sendProblem(reply, problem, partnerErrorBody);
  }
}
