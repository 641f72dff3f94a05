interface Kept {
  readonly value: string;
  readonly host: string;
  /** False if subdomains get the cookie too. */
  readonly hostOnly: boolean;
  readonly attributes: readonly string[];
}

export interface Visit {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly url: URL;
}

/**
 * The parts of a browser that sign-in needs: it stores and sends cookies by host and follows redirects.
 */
export class Browser {
  private readonly cookies = new Map<string, Kept>();

  /** Sends one request without following redirects. */
  async visit(url: string | URL, init: RequestInit & { host?: string } = {}): Promise<Visit> {
    const target = new URL(url);
    const cookie = this.cookiesFor(target.hostname);
    const response = await fetch(target, {
      redirect: 'manual',
      ...init,
      headers: { ...(cookie ? { cookie } : {}), ...(init.headers as Record<string, string>) },
    });
    for (const line of response.headers.getSetCookie()) this.receive(line, target.hostname);
    return { status: response.status, headers: response.headers, text: await response.text(), url: target };
  }

  /** Follows redirects. Stops before the first URL for which `until` is true. */
  async follow(url: string | URL, until: (next: URL) => boolean = () => false): Promise<Visit & { next: URL | null }> {
    let target = new URL(url);
    for (let hops = 0; hops < 12; hops++) {
      const visit = await this.visit(target);
      const location = visit.headers.get('location');
      if (visit.status < 300 || visit.status >= 400 || !location) return { ...visit, next: null };
      const next = new URL(location, target);
      if (until(next)) return { ...visit, next };
      target = next;
    }
    throw new Error(`redirected more than a dozen times, last to ${target.href}`);
  }

  /** The cookie of this name, with its attributes. */
  cookie(name: string): Kept | undefined {
    return this.cookies.get(name);
  }

  names(): string[] {
    return [...this.cookies.keys()];
  }

  /** The Cookie header of a request to that host. */
  cookiesFor(host: string): string {
    return [...this.cookies]
      .filter(([, kept]) => kept.host === host || (!kept.hostOnly && host.endsWith(`.${kept.host}`)))
      .map(([name, kept]) => `${name}=${kept.value}`)
      .join('; ');
  }

  /** Handles a Set-Cookie header of that host. */
  receive(line: string, host: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const name = pair.slice(0, pair.indexOf('='));
    const domain = attributes.find((attribute) => attribute.startsWith('Domain='))?.slice(7);
    if (attributes.includes('Max-Age=0')) this.cookies.delete(name);
    else
      this.cookies.set(name, {
        value: pair.slice(name.length + 1),
        host: domain ?? host,
        hostOnly: !domain,
        attributes,
      });
  }
}
