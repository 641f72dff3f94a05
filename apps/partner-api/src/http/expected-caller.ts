import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ExpectedHolder, TokenHolder } from '#libs/tokens';

const EXPECTED = Symbol('expected holder of the token');

type Request = FastifyRequest & { [EXPECTED]?: ExpectedHolder | null; user?: TokenHolder };

/** Lets requests of this server begin with whom their token is expected to belong to. Only where answers are held back. */
export function acceptExpectedCallers(fastify: FastifyInstance): void {
  fastify.decorateRequest(EXPECTED, null);
}

/** Takes the request for the expected caller's; false where no answer would be held back until that is confirmed. */
export function expectCaller(request: FastifyRequest, expected: ExpectedHolder): boolean {
  if (!(EXPECTED in request)) return false;
  (request as Request)[EXPECTED] = expected;
  (request as Request).user = expected.holder;
  return true;
}

/** Null for a request whose caller is known, or was refused, or is not asked for. */
export function expectedCallerOf(request: FastifyRequest): ExpectedHolder | null {
  return (request as Request)[EXPECTED] ?? null;
}
