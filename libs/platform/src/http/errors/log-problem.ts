import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Problem } from '../../problem.js';

/** One line for each request that failed (an error) or was refused (debug), with what the caller is not told. */
export function logProblem(logger: Logger, request: FastifyRequest, problem: Problem, error: unknown): void {
  const log = { requestId: request.id, status: problem.status, slug: problem.slug };
  if (problem.status >= 500) logger.error({ ...log, err: error }, 'request failed');
  else logger.debug({ ...log, cause: causeOf(error) }, 'request refused');
}

/** The words of a cause; a library's error may carry whole requests and responses, which belong into no log. */
function causeOf(error: unknown): string | undefined {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : undefined;
}
