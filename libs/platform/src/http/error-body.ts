import type { FastifyReply } from 'fastify';
import type { Problem } from '../problem.js';

/** How one API words a problem on the wire: status and headers are the same everywhere, only the body differs. */
export type ErrorBody = (problem: Problem, requestId: string) => object;

export function sendProblem(reply: FastifyReply, problem: Problem, errorBody: ErrorBody): void {
  reply
    .code(problem.status)
    .headers(problem.headers)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(problem, reply.request.id)));
}
