import type { FastifyInstance, FastifyReply } from 'fastify';
import { plainProblem } from '../../problem.js';
import { sendProblem, type ErrorBody } from '../errors/error-body.js';
import { SlotArray } from './slot-array.js';

/** Until an answer begins; long ones are streamed. */
const LONGEST_MS = 60_000;
const SWEEP_MS = 1_000;

const PLACE = Symbol('place among the open answers');

type Reply = FastifyReply & { [PLACE]?: number };

/**
 * Answers 503 where a handler has not begun to answer in time. Fastify's own `handlerTimeout` makes a timer and an
 * abort signal for every request, which cost more than authenticating it.
 */
export function answerOverdue(
  fastify: FastifyInstance,
  errorBody: ErrorBody,
  { longestMs, sweepMs } = { longestMs: LONGEST_MS, sweepMs: SWEEP_MS },
): void {
  const open = new SlotArray<FastifyReply>();
  const leave = (reply: Reply) => {
    const place = reply[PLACE] ?? -1;
    reply[PLACE] = -1;
    if (place >= 0) open.leave(place);
  };
  fastify.decorateReply(PLACE, -1);
  fastify.addHook('onRequest', (_request, reply: Reply, done) => {
    reply[PLACE] = open.take(reply);
    done();
  });
  fastify.addHook('onResponse', (_request, reply, done) => {
    leave(reply);
    done();
  });
  const sweep = setInterval(() => {
    for (const reply of open) {
      if (reply.elapsedTime < longestMs) continue;
      leave(reply);
      if (!reply.sent) sendProblem(reply, plainProblem(503), errorBody);
    }
  }, sweepMs).unref();
  fastify.addHook('onClose', (_fastify, done) => {
    clearInterval(sweep);
    done();
  });
}
