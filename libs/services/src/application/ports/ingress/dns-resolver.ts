/** Asks the DNS of the world what it says about a name. */
export abstract class DnsResolver {
  /**
   * @returns the texts of the TXT records, each joined; none for a name or a type that does not exist
   * @throws DnsUnavailable when no server answers
   */
  abstract txt(name: string): Promise<readonly string[]>;
}

export class DnsUnavailable extends Error {
  constructor(options?: { cause?: unknown }) {
    super('no DNS server answered', options);
    this.name = 'DnsUnavailable';
  }
}
