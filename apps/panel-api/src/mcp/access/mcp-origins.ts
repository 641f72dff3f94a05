import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { OriginRejected } from '../../http/same-origin.js';

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Refuses pages of other sites and unknown host names (DNS rebinding), as the MCP specification requires. IP addresses
 * cannot be rebound, so all of them are accepted.
 */
export class McpOrigins {
  constructor(
    private readonly panelUrl: URL,
    private readonly allowedOrigins: ReadonlySet<string>,
  ) {}

  /** @throws OriginRejected */
  assertAllowed({ headers, host }: FastifyRequest): void {
    const { origin } = headers;
    if (origin !== undefined && !this.allowedOrigins.has(origin)) throw new OriginRejected();
    const name = hostName(host);
    const isAddress = isIP(name.replace(/^\[|\]$/g, '')) !== 0;
    if (!isAddress && name !== this.panelUrl.hostname && !LOOPBACK_NAMES.has(name)) throw new OriginRejected();
  }
}

/** The host without its port. IPv6 addresses keep their brackets. */
function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}
