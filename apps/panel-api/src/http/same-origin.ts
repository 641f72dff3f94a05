import type { FastifyRequest } from 'fastify';
import { Forbidden } from '#kernel/errors';

const CHANGING = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** A page of another site, or of a service's subdomain, had the browser send the request. */
export class OriginRejected extends Forbidden {
  constructor() {
    super('origin_rejected', 'The request must come from the panel itself.');
  }
}

export function isChanging(request: FastifyRequest): boolean {
  return CHANGING.has(request.method);
}

/**
 * What the browser says of the page behind a request: `same` and `other` are its word, `unsaid` is a client that is no
 * browser, or a very old one. Pages can set neither of the two headers.
 * @param panelOrigin the origin of PANEL_URL
 */
export function originOf(request: FastifyRequest, panelOrigin: string): 'same' | 'other' | 'unsaid' {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' ? 'same' : 'other';
  const { origin } = request.headers;
  if (origin === undefined) return 'unsaid';
  return origin === panelOrigin ? 'same' : 'other';
}
