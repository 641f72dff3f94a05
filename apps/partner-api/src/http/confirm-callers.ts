import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import type { Logger } from 'pino';
import type { ExpectedHolder } from '#libs/tokens';
import { logProblem } from '#platform/http/errors/log-problem';
import { problemOf } from '#platform/problem';
import { AuthFailureThrottle } from './auth-failure-throttle.js';
import { acceptExpectedCallers, expectedCallerOf, isConfirmed, isConfirmedAlready } from './expected-caller.js';
import { wordRefusal } from './partner-error-body.js';
import type { GuardedRouteConfig } from './partner-route.decorator.js';

/** What the server says of itself; everything else was said about what was read. */
const KEPT_HEADERS = new Set([
  'x-request-id',
  'connection',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
]);

/**
 * Holds back every answer of the routes that read ahead, errors included, until the database has said that the token
 * belongs to whom it was expected to; of any other answer nothing leaves, and the request is refused as it would have
 * been before anything was read.
 */
export function confirmCallers(app: NestFastifyApplication, logger: Logger): void {
  const brake = app.get(AuthFailureThrottle);
  const fastify = app.getHttpAdapter().getInstance();
  const confirmed = async (
    expected: ExpectedHolder,
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
  ) => {
    try {
      if (await isConfirmed(expected)) return payload;
      return refuse(reply, await brake.refusalOf(request.ip, reply));
    } catch (error) {
      if (reply.statusCode < 500) logProblem(logger, request, problemOf(error), error);
      return refuse(reply, error);
    }
  };
  const confirm: onSendHookHandler<unknown> = (request, reply, payload, done) => {
    const expected = expectedCallerOf(request);
    // Most often both answers have come together, and this one can leave at once.
    if (!expected || isConfirmedAlready(expected)) return done(null, payload);
    confirmed(expected, request, reply, payload).then((answer) => done(null, answer), done);
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
