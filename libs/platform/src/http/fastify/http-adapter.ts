import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { plainProblem } from '../../problem.js';
import { sendProblem, type ErrorBody } from '../errors/error-body.js';
import { clientErrorHandler } from '../errors/raw-errors.js';
import { ambiguityOf } from './ambiguous-request.js';
import { requestIdOf } from './request-id.js';
import { REFERENCE_HEADERS, SECURITY_HEADERS } from './security-headers.js';

export interface HttpOptions {
  readonly trustedProxies: readonly string[];
  readonly errorBody: ErrorBody;
  /** 256 KiB by default. */
  readonly bodyLimitBytes?: number;
}

/** What Nest gets instead of the reply. Nest only awaits it. */
const GONE = undefined as unknown as FastifyReply;

/**
 * Fastify's reply can be awaited, and Nest does so, which adds half a dozen listeners for the end of the response. A
 * response that was sent completely does not need them.
 */
class UnattendedAnswers extends FastifyAdapter {
  override reply(...answer: Parameters<FastifyAdapter['reply']>): FastifyReply {
    const reply = super.reply(...answer);
    return reply.sent ? GONE : reply;
  }
}

export const BODY_LIMIT_BYTES = 256 * 1024;

/**
 * Fastify with every limit set: it never waits indefinitely for a request or a header, and its own errors have the
 * API's body format. `answerOverdue` covers handlers.
 */
export function createHttpAdapter({ trustedProxies, errorBody, bodyLimitBytes }: HttpOptions): FastifyAdapter {
  return new UnattendedAnswers({
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: bodyLimitBytes ?? BODY_LIMIT_BYTES,
    requestTimeout: 15_000,
    keepAliveTimeout: 65_000,
    connectionTimeout: 0,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 4096 },
    genReqId: requestIdOf,
    logger: false,
    // Our own hook refuses a missing Host, because Node's response has no body. Node checks for overdue requests at
    // this interval; its default of 30 seconds would add to every limit.
    http: { requireHostHeader: false, headersTimeout: 10_000, connectionsCheckingInterval: 1_000 },
    clientErrorHandler: clientErrorHandler(errorBody),
    frameworkErrors: (error: FastifyError, _request: FastifyRequest, reply: FastifyReply) => {
      reply.headers(SECURITY_HEADERS).header('x-request-id', reply.request.id);
      // A path that cannot be decoded, or with an id longer than any of ours, is not found.
      const namesNothing = error.code === 'FST_ERR_BAD_URL' || error.code === 'FST_ERR_MAX_PARAM_LENGTH';
      sendProblem(reply, plainProblem(namesNothing ? 404 : (error.statusCode ?? 400)), errorBody);
    },
  });
}

/**
 * Every response has a request id and the security headers. Requests without Host and ambiguous requests are refused. A
 * server that is closing keeps no connection open.
 */
export function guardRequests(
  fastify: FastifyInstance,
  { errorBody, docsPath }: { errorBody: ErrorBody; docsPath: string },
): void {
  const reference = `/${docsPath}`;
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(request.url.startsWith(reference) ? REFERENCE_HEADERS : SECURITY_HEADERS);
    reply.header('x-request-id', request.id);
    const status = ambiguityOf(request.raw);
    if (status) sendProblem(reply, plainProblem(status), errorBody);
    else done();
  });
  // A client that keeps its connection after the last response would delay the shutdown by the keep-alive time.
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    if (!fastify.server.listening) reply.header('connection', 'close');
    done();
  });
}
