import type { FastifyInstance } from 'fastify';
import findMyWay from 'find-my-way';
import { HttpRefusal } from '../../problem.js';

/**
 * Answers 405 with `Allow` if the path exists with another method; Fastify itself would answer 404. Call it before the
 * routes are registered.
 */
export function refuseOtherMethods(fastify: FastifyInstance): void {
  const methods = new Map<string, Set<string>>();
  const paths = findMyWay({ maxParamLength: 4096 });
  fastify.addHook('onRoute', (route) => {
    if (route.url.includes('*')) return;
    let known = methods.get(route.url);
    if (!known) {
      known = new Set();
      methods.set(route.url, known);
      paths.on('GET', route.url, () => undefined, known);
    }
    for (const method of [route.method].flat()) known.add(method);
  });
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (!request.is404) return done();
    const path = request.raw.url?.split('?', 1)[0] ?? '/';
    const found = paths.find('GET', path);
    const known = found?.store as Set<string> | undefined;
    // An empty parameter matches nothing: `/tokens/` does not exist.
    if (!known || known.has(request.method) || Object.values(found?.params ?? {}).includes('')) return done();
    const allow = [...known].sort().join(', ');
    done(new HttpRefusal(405, `The path does not support ${request.method}.`, { allow }));
  });
}
