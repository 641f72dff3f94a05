import { DnsResolver, DnsUnavailable } from '../../../libs/services/src/application/ports/ingress/dns-resolver.js';

/** TXT records in memory. */
export class FakeDnsResolver extends DnsResolver {
  readonly records = new Map<string, readonly string[]>();
  isAway = false;

  override txt(name: string): Promise<readonly string[]> {
    if (this.isAway) return Promise.reject(new DnsUnavailable());
    return Promise.resolve(this.records.get(name) ?? []);
  }
}
