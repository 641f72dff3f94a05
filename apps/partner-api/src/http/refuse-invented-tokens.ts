import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TokenAuthentication } from '#libs/tokens';
import { problemOf } from '#platform/problem';
import { AuthFailureThrottle } from './auth-failure-throttle.js';
import { bearerTokenOf } from './bearer.strategy.js';
import { wordRefusal } from './partner-error-body.js';
import type { GuardedRouteConfig } from './partner-route.decorator.js';

/**
 * Refuses requests without a token, or with a malformed one, before a route is entered, so that a flood of guesses
 * costs no framework time. All other requests reach the guards, which apply the same rules and more.
 */
export function refuseInventedTokens(app: NestFastifyApplication): void {
  const tokens = app.get(TokenAuthentication, { strict: false });
  const failures = app.get(AuthFailureThrottle);
  const fastify = app.getHttpAdapter().getInstance();
  const refuseInvented = (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    const token = bearerTokenOf(request);
    if (token && tokens.isPossible(token)) return done();
    const refusal = failures.refusalOf(request.ip, reply);
    if (refusal instanceof Error) refuse(reply, refusal);
    else
      refusal.then(
        (known) => refuse(reply, known),
        (error: unknown) => refuse(reply, error),
      );
  };
  fastify.addHook('onRoute', (route) => {
    const { demandsToken } = (route.config ?? {}) as GuardedRouteConfig;
    if (demandsToken) route.onRequest = [route.onRequest ?? [], refuseInvented].flat();
  });
}

function refuse(reply: FastifyReply, error: unknown): void {
  reply.send(wordRefusal(reply, problemOf(error)));
}
