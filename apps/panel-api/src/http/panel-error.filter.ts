import { Catch, Injectable, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { sendProblem } from '#platform/http/errors/error-body';
import { logProblem } from '#platform/http/errors/log-problem';
import { setLimitHeaders } from '#platform/limits/limit-headers';
import { problemOf } from '#platform/problem';
import { panelErrorBody } from './panel-error-body.js';
import { LimitExceeded } from './panel-limits.js';

/** Turns every error into `{error:{code,message,details?,requestId}}`. */
@Injectable()
@Catch()
export class PanelErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const problem = problemOf(error);
    logProblem(this.logger, request, problem, error);
    if (reply.raw.headersSent) {
      reply.raw.destroy();
      return;
    }
    if (error instanceof LimitExceeded) setLimitHeaders(reply, error.state);
    if (problem.status === 401) reply.header('www-authenticate', 'Bearer');
    sendProblem(reply, problem, panelErrorBody);
  }
}
