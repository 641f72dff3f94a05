import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Histogram, type Registry } from 'prom-client';

/**
 * Logs one line and records one observation per request. The path is logged without its query, which may contain
 * secrets. The metric is labelled with the route's pattern, so that ids do not multiply the series. Call before the
 * routes are registered.
 */
export function logRequests(fastify: FastifyInstance, logger: Logger, registry: Registry): void {
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  // The fields are fixed and contain no secret. Redacting each line would cost a fifth of a small request.
  const requests = logger.child({}, { redact: [] });
  const noted = (route: string) => (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    const seconds = reply.elapsedTime / 1000;
    duration.observe({ method: request.method, route, status: reply.statusCode }, seconds);
    requests.info(
      {
        requestId: request.id,
        method: request.method,
        path: pathOf(request.raw.url ?? ''),
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ip: request.ip,
      },
      'request',
    );
    done();
  };
  // Each route's name is stored once: Fastify creates a new object each time a request is asked for its route.
  fastify.addHook('onRoute', (route) => {
    route.onResponse = [route.onResponse ?? [], noted(route.url)].flat();
  });
  const notedElsewhere = noted('unknown');
  fastify.addHook('onResponse', (request, reply, done) => {
    if (request.is404) notedElsewhere(request, reply, done);
    else done();
  });
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}
