import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Problem } from '../../problem.js';

/**
 * Logs one line for each request that failed (error) or was refused (debug), with the details that the caller does not
 * get.
 */
export function logProblem(logger: Logger, request: FastifyRequest, problem: Problem, error: unknown): void {
  const log = { requestId: request.id, status: problem.status, slug: problem.slug };
  if (problem.status >= 500) logger.error({ ...log, err: error }, 'request failed');
  else logger.debug({ ...log, cause: causeOf(error) }, 'request refused');
}

/**
 * The message of a cause only: a library's error may contain whole requests and responses, which must not be logged.
 */
function causeOf(error: unknown): string | undefined {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : undefined;
}
