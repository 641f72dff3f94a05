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

/** Nest waits for what it is given here, and does nothing else with it. */
const GONE = undefined as unknown as FastifyReply;

/**
 * Fastify's reply can be awaited, and Nest does so: for that it listens for the end of the response with half a dozen
 * listeners. An answer that has left whole needs none.
 */
class UnattendedAnswers extends FastifyAdapter {
  override reply(...answer: Parameters<FastifyAdapter['reply']>): FastifyReply {
    const reply = super.reply(...answer);
    return reply.sent ? GONE : reply;
  }
}

export const BODY_LIMIT_BYTES = 256 * 1024;

/**
 * Fastify with every limit set: it waits for no request or header for ever, and each of its own refusals has the body
 * shape of the API. `answerOverdue` waits for no handler.
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
    // A missing Host is refused by our own hook, because Node's answer has no body.
    // Node looks for overdue requests in this interval; its own 30 seconds would add to every limit.
    http: { requireHostHeader: false, headersTimeout: 10_000, connectionsCheckingInterval: 1_000 },
    clientErrorHandler: clientErrorHandler(errorBody),
    frameworkErrors: (error: FastifyError, _request: FastifyRequest, reply: FastifyReply) => {
      reply.headers(SECURITY_HEADERS).header('x-request-id', reply.request.id);
      // A path that cannot be decoded, or with an id as long as a letter, names nothing.
      const namesNothing = error.code === 'FST_ERR_BAD_URL' || error.code === 'FST_ERR_MAX_PARAM_LENGTH';
      sendProblem(reply, plainProblem(namesNothing ? 404 : (error.statusCode ?? 400)), errorBody);
    },
  });
}

/**
 * Every response names its request and carries the security headers. A request without Host, or one that says two
 * things at once, is refused, and a server that is closing keeps no connection open.
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
  // A client that keeps its connection after the last answer would hold up the shutdown for the keep-alive time.
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    if (!fastify.server.listening) reply.header('connection', 'close');
    done();
  });
}
