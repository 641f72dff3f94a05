import type { FastifyRequest } from 'fastify';
import { Forbidden } from '#kernel/errors';

const CHANGING = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** The request was sent by a page of another site, or of a service's subdomain. */
export class OriginRejected extends Forbidden {
  constructor() {
    super('origin_rejected', 'The request must come from the panel itself.');
  }
}

export function isChanging(request: FastifyRequest): boolean {
  return CHANGING.has(request.method);
}

/**
 * Where the page that sent the request comes from, according to the browser. `unknown`: not a browser, or a very old
 * one. Pages cannot set either of the two headers.
 * @param panelOrigin the origin of PANEL_URL
 */
export function originOf(request: FastifyRequest, panelOrigin: string): 'same' | 'other' | 'unknown' {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' ? 'same' : 'other';
  const { origin } = request.headers;
  if (origin === undefined) return 'unknown';
  return origin === panelOrigin ? 'same' : 'other';
}
