import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { consolePolicy } from './console-policy.js';

/** The built console: beside the compiled panel API, or in `dist` of the checkout when that runs from its sources. */
const FOLDER = ['../../../console/', '../../../../dist/apps/console/']
  .map((place) => fileURLToPath(new URL(place, import.meta.url)))
  .find((folder) => existsSync(path.join(folder, 'assets')));

const SAFE = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' };

/**
 * Serves the web console at `/console`. Every other path below it returns the index page, because the application
 * routes in the browser. The files are needed before anybody has signed in: no credentials and no rate limit.
 */
export function serveConsole(fastify: FastifyInstance): void {
  if (!FOLDER) return;
  const folder = FOLDER;
  void fastify.register(fastifyStatic, {
    root: path.join(folder, 'assets'),
    prefix: '/console/assets/',
    decorateReply: false,
    index: false,
    // The build wrote a compressed copy beside each file, and a hash of the content into its name.
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    setHeaders: (reply) => void reply.header('x-content-type-options', 'nosniff'),
  });
  fastify.get('/console/mark.svg', async (_request, reply) => {
    const mark = await readFile(path.join(folder, 'mark.svg'));
    return reply
      .headers({ ...SAFE, 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=3600' })
      .send(mark);
  });
  const page = async (_request: unknown, reply: FastifyReply) => {
    const html = await readFile(path.join(folder, 'index.html'), 'utf8');
    const nonce = randomBytes(16).toString('base64');
    return reply
      .headers({
        ...SAFE,
        'content-type': 'text/html; charset=utf-8',
        // Never cached: the page refers to the newest files, and its nonce is valid once.
        'cache-control': 'no-store',
        'content-security-policy': consolePolicy(nonce),
      })
      .send(html.replace('__CSP_NONCE__', nonce));
  };
  fastify.get('/console', page);
  fastify.get('/console/*', page);
}
