import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { logProblem } from '#platform/http/log-problem';
import { problemOf } from '#platform/problem';
import { AuthFailureBrake } from './auth-failure-brake.js';
import { acceptExpectedCallers, expectedCallerOf, isConfirmed } from './expected-caller.js';
import { wordRefusal } from './partner-error-body.js';
import type { GuardedRouteConfig } from './partner-route.decorator.js';

/** What the server says of itself; everything else was said about what was read. */
const KEPT_HEADERS = new Set(['x-request-id', 'connection']);

/**
 * Holds back every answer of the routes that read ahead, errors included, until the database has said that the token
 * belongs to whom it was expected to; of any other answer nothing leaves, and the request is refused as it would have
 * been before anything was read.
 */
export function confirmCallers(app: NestFastifyApplication, logger: Logger): void {
  const brake = app.get(AuthFailureBrake);
  const fastify = app.getHttpAdapter().getInstance();
  const confirm = async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    const expected = expectedCallerOf(request);
    if (!expected) return payload;
    try {
      if (await isConfirmed(expected)) return payload;
      return refuse(reply, await brake.refusalOf(request.ip));
    } catch (error) {
      if (reply.statusCode < 500) logProblem(logger, request, problemOf(error), error);
      return refuse(reply, error);
    }
  };
  acceptExpectedCallers(fastify);
  fastify.addHook('onRoute', (route) => {
    const { readsAhead } = (route.config ?? {}) as GuardedRouteConfig;
    if (readsAhead) route.onSend = [confirm, route.onSend ?? []].flat();
  });
}

function refuse(reply: FastifyReply, error: unknown): string {
  for (const name of Object.keys(reply.getHeaders())) if (!KEPT_HEADERS.has(name)) reply.removeHeader(name);
  return wordRefusal(reply, problemOf(error));
}
