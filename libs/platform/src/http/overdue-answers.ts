import type { FastifyInstance, FastifyReply } from 'fastify';
import { plainProblem } from '../problem.js';
import { sendProblem, type ErrorBody } from './error-body.js';

/** Until an answer begins; long ones are streamed. */
const LONGEST_MS = 60_000;
const SWEEP_MS = 1_000;

/**
 * Answers 503 where a handler has not begun to answer in time. Fastify's own `handlerTimeout` makes a timer and an
 * abort signal for every request, which cost more than authenticating it.
 */
export function answerOverdue(
  fastify: FastifyInstance,
  errorBody: ErrorBody,
  { longestMs, sweepMs } = { longestMs: LONGEST_MS, sweepMs: SWEEP_MS },
): void {
  // In the order in which they came.
  const open = new Set<FastifyReply>();
  fastify.addHook('onRequest', (_request, reply, done) => {
    open.add(reply);
    done();
  });
  fastify.addHook('onResponse', (_request, reply, done) => {
    open.delete(reply);
    done();
  });
  const sweep = setInterval(() => {
    for (const reply of open) {
      if (reply.elapsedTime < longestMs) return;
      open.delete(reply);
      if (!reply.sent) sendProblem(reply, plainProblem(503), errorBody);
    }
  }, sweepMs).unref();
  fastify.addHook('onClose', (_fastify, done) => {
    clearInterval(sweep);
    done();
  });
}
