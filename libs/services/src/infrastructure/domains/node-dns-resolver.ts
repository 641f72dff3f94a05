import { Resolver } from 'node:dns/promises';
import { DnsResolver, DnsUnavailable } from '../../application/ports/ingress/dns-resolver.js';

const TIMEOUT_MS = 3_000;
const TRIES = 2;
/** The servers have answered, and there is no such record. */
const NOTHING_THERE = new Set(['ENOTFOUND', 'ENODATA', 'ENONAME']);

/** Asks DNS servers themselves: neither the system's cache nor its hosts file has a say. */
export class NodeDnsResolver extends DnsResolver {
  readonly #resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });

  /** @param servers `192.0.2.53` or `192.0.2.53:5353`; none: those of the system */
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
