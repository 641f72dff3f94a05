import http from 'node:http';

export interface CaddyAnswer {
  readonly status: number;
  readonly text: string;
  /** Comes after the body. */
  readonly etag: string | null;
}

/** Where Caddy's admin API listens: `http://127.0.0.1:2019`, or the path of a unix socket. */
export type CaddyEndpoint = { readonly url: URL } | { readonly socketPath: string };

/** Loading a configuration with many names takes a while, because each name gets its certificate. */
const TIMEOUT_MS = 30_000;

/**
 * Caddy's admin API. Every change restarts the API's own server. So no connection is reused, and a broken connection
 * does not tell whether the change was made.
 */
export class CaddyAdmin {
  constructor(private readonly endpoint: CaddyEndpoint) {}

  /** The whole configuration as JSON text (`null` without one), and its ETag for a conditional change. */
  read(): Promise<CaddyAnswer> {
    return this.#call('GET', null, {});
  }

  /** Replaces the whole configuration. Answers 412 if it has changed since. */
  replace(config: unknown, etag: string): Promise<CaddyAnswer> {
    return this.#call('POST', JSON.stringify(config), { 'content-type': 'application/json', 'if-match': etag });
  }

  /** @throws Error of the connection */
  #call(method: string, body: string | null, headers: Record<string, string>): Promise<CaddyAnswer> {
    return new Promise((resolve, reject) => {
      const target = this.#target();
      const request = http.request(
        {
          ...target,
          method,
          path: '/config/',
          agent: false,
          timeout: TIMEOUT_MS,
          headers: { ...headers, ...target.headers },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const etag = response.trailers['etag'] ?? response.headers.etag ?? null;
            resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8'), etag });
          });
        },
      );
      request.on('timeout', () => request.destroy(new Error('it does not answer')));
      request.on('error', reject);
      request.end(body ?? undefined);
    });
  }

  /** Caddy compares the Host header and, if configured, the Origin with the address on which it listens. */
  #target(): http.RequestOptions & { readonly headers: Record<string, string> } {
    if ('socketPath' in this.endpoint)
      return { socketPath: this.endpoint.socketPath, setHost: false, headers: { host: '' } };
    const { hostname, port, origin } = this.endpoint.url;
    return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 80 : Number(port), headers: { origin } };
  }
}
