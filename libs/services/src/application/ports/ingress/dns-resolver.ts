/** Queries the public DNS. */
export abstract class DnsResolver {
  /**
   * @returns the texts of the TXT records, with the parts of each record joined; empty if there are none
   * @throws DnsUnavailable if no server responds
   */
  abstract txt(name: string): Promise<readonly string[]>;
}

export class DnsUnavailable extends Error {
  constructor(options?: { cause?: unknown }) {
    super('no DNS server answered', options);
    this.name = 'DnsUnavailable';
  }
}
