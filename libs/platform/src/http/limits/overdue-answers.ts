import type { FastifyInstance, FastifyReply } from 'fastify';
import { plainProblem } from '../../problem.js';
import { sendProblem, type ErrorBody } from '../errors/error-body.js';
import { SlotArray } from './slot-array.js';

/** Until a response begins; long ones are streamed. */
const LONGEST_MS = 60_000;
/** The same while the database does not answer: waiting longer would be useless. */
const LONGEST_IN_SILENCE_MS = 4_000;
const SWEEP_MS = 500;

const PLACE = Symbol('place among the open answers');

type Reply = FastifyReply & { [PLACE]?: number };

/**
 * Answers 503 if a handler has not begun to respond in time. Fastify's own `handlerTimeout` creates a timer and an
 * abort signal for every request, which cost more than authenticating it.
 */
export function answerOverdue(
  fastify: FastifyInstance,
  errorBody: ErrorBody,
  isDatabaseSilent: () => boolean = () => false,
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
    const patience = isDatabaseSilent() ? Math.min(longestMs, LONGEST_IN_SILENCE_MS) : longestMs;
    for (const reply of open) {
      if (reply.elapsedTime < patience) continue;
      leave(reply);
      if (!reply.sent) sendProblem(reply, plainProblem(503, { 'retry-after': '1' }), errorBody);
    }
  }, sweepMs).unref();
  fastify.addHook('onClose', (_fastify, done) => {
    clearInterval(sweep);
    done();
  });
}
