import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { OriginRejected } from '../../http/same-origin.js';

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Refuses pages of other sites, and hosts that are another name for this address (DNS rebinding), as the MCP
 * specification asks of every server. An address cannot be rebound, so every one of them is accepted.
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

/** Without its port; an address of version 6 keeps its brackets. */
function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}
