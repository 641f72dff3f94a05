import type { FastifyReply } from 'fastify';
import type { Problem } from '../../problem.js';

/** How an API formats a problem. Status and headers are the same in both APIs; only the body differs. */
export type ErrorBody = (problem: Problem, requestId: string) => object;

export function sendProblem(reply: FastifyReply, problem: Problem, errorBody: ErrorBody): void {
  reply.send(applyProblem(reply, problem, errorBody));
}

/** Sets the problem's status and headers on the reply; the caller sends the body. */
export function applyProblem(reply: FastifyReply, problem: Problem, errorBody: ErrorBody): string {
  reply.code(problem.status).headers(problem.headers).header('content-type', 'application/json; charset=utf-8');
  return JSON.stringify(errorBody(problem, reply.request.id));
}
