import type { FastifyInstance, FastifyReply } from 'fastify';
import { plainProblem } from '../../problem.js';
import { sendProblem, type ErrorBody } from '../errors/error-body.js';
import { SlotArray } from './slot-array.js';

/** How long a handler may take before its response begins. */
const MAX_ANSWER_MS = 60_000;
/** The same while the database is silent: waiting longer would be useless. */
const MAX_SILENT_ANSWER_MS = 4_000;
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
  { maxMs, sweepMs } = { maxMs: MAX_ANSWER_MS, sweepMs: SWEEP_MS },
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
    const limitMs = isDatabaseSilent() ? Math.min(maxMs, MAX_SILENT_ANSWER_MS) : maxMs;
    for (const reply of open) {
      if (reply.elapsedTime < limitMs) continue;
      leave(reply);
      if (!reply.sent) sendProblem(reply, plainProblem(503, { 'retry-after': '1' }), errorBody);
    }
  }, sweepMs).unref();
  fastify.addHook('onClose', (_fastify, done) => {
    clearInterval(sweep);
    done();
  });
}
