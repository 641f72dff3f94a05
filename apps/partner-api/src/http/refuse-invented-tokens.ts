import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { TokenAuthentication } from '#libs/tokens';
import { sendProblem } from '#platform/http/error-body';
import { problemOf } from '#platform/problem';
import { TOKEN_REFUSED } from './api-token.guard.js';
import { AuthFailureBrake } from './auth-failure-brake.js';
import { partnerErrorBody } from './partner-error-body.js';
import type { GuardedRouteConfig } from './partner-route.decorator.js';

const BEARER = /^bearer ([^ ]+)$/i;

/**
 * Refuses a request without a token, or with one of a wrong form or checksum, before a route is entered: a flood of
 * guesses pays for nothing of the framework. What passes meets the guards, which know the same rules and more.
 */
export function refuseInventedTokens(app: NestFastifyApplication): void {
  const tokens = app.get(TokenAuthentication, { strict: false });
  const brake = app.get(AuthFailureBrake);
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!(request.routeOptions.config as GuardedRouteConfig).demandsToken) return done();
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    if (token && tokens.isPossible(token)) return done();
    brake.count(request.ip).then(
      () => refuse(reply, TOKEN_REFUSED),
      (error: unknown) => refuse(reply, error),
    );
  });
}

function refuse(reply: FastifyReply, error: unknown): void {
  const problem = problemOf(error);
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer');
  sendProblem(reply, problem, partnerErrorBody);
}
