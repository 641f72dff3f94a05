import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Unavailable } from '#kernel/errors';
import type { ExpectedHolder, TokenHolder } from '#libs/tokens';
import { TOKEN_REFUSED } from './auth-failure-throttle.js';

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

/**
 * Whether the database has named the expected holder.
 * @throws Unavailable when the token has changed hands meanwhile: the next request is answered
 */
export async function isConfirmed({ holder, answer }: ExpectedHolder): Promise<boolean> {
  const found = await answer;
  if (!found) return false;
  if (isSame(holder, found)) return true;
  throw new Unavailable('caller-changed', 'The token has just changed hands. Try again.');
}

/** True when the database has already named the expected holder; false says nothing yet. */
export function isConfirmedAlready({ holder, found }: ExpectedHolder): boolean {
  return found != null && isSame(holder, found);
}

function isSame(expected: TokenHolder, found: TokenHolder): boolean {
  const { tokenId, partnerId, scope } = expected;
  return found.tokenId === tokenId && found.partnerId === partnerId && found.scope === scope;
}

/**
 * Waits until the caller is certain.
 * @throws Unauthenticated for a token that is valid no more; how the request is refused is up to `confirmCallers`
 * @throws Unavailable as `isConfirmed`
 */
export async function assertConfirmed(request: FastifyRequest): Promise<void> {
  const expected = expectedCallerOf(request);
  if (expected && !(await isConfirmed(expected))) throw TOKEN_REFUSED;
}
