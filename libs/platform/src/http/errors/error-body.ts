import type { FastifyReply } from 'fastify';
import type { Problem } from '../../problem.js';

/** How one API words a problem on the wire: status and headers are the same everywhere, only the body differs. */
export type ErrorBody = (problem: Problem, requestId: string) => object;

export function sendProblem(reply: FastifyReply, problem: Problem, errorBody: ErrorBody): void {
  reply.send(wordProblem(reply, problem, errorBody));
}

/** Gives the reply the problem's status and headers; the body is the caller's to send. */
export function wordProblem(reply: FastifyReply, problem: Problem, errorBody: ErrorBody): string {
  reply.code(problem.status).headers(problem.headers).header('content-type', 'application/json; charset=utf-8');
  return JSON.stringify(errorBody(problem, reply.request.id));
}
