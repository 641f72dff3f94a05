import { Resolver } from 'node:dns/promises';
import { DnsResolver, DnsUnavailable } from '../../application/ports/ingress/dns-resolver.js';

const TIMEOUT_MS = 3_000;
const TRIES = 2;
/** Error codes that mean that there is no such record. */
const NOTHING_THERE = new Set(['ENOTFOUND', 'ENODATA', 'ENONAME']);

/** Queries DNS servers directly, without the system's cache and hosts file. */
export class NodeDnsResolver extends DnsResolver {
  readonly #resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });

  /** @param servers `192.0.2.53` or `192.0.2.53:5353`; if empty, those of the system */
  constructor(servers: readonly string[]) {
    super();
    if (servers.length > 0) this.#resolver.setServers(servers);
  }

  async txt(name: string): Promise<readonly string[]> {
    try {
      return (await this.#resolver.resolveTxt(name)).map((parts) => parts.join(''));
    } catch (error) {
      if (NOTHING_THERE.has(String((error as NodeJS.ErrnoException).code))) return [];
      throw new DnsUnavailable({ cause: error });
    }
  }
}
