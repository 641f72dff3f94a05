import http from 'node:http';
import https from 'node:https';
import type { CaddyServer } from './caddy.js';

export interface CaddyReply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

export interface CaddyRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: Buffer;
  /** The Host header. Defaults to the requested host. */
  readonly hostHeader?: string;
  readonly scheme?: 'http' | 'https';
}

/** Sends a request for a host to Caddy on a new connection. Trusts only Caddy's internal authority. */
export async function askCaddy(caddy: CaddyServer, host: string, request: CaddyRequest = {}): Promise<CaddyReply> {
  const { method = 'GET', path = '/', headers = {}, body, hostHeader = host, scheme = 'https' } = request;
  const common = { host: '127.0.0.1', method, path, agent: false, headers: { ...headers, host: hostHeader } };
  return new Promise((resolve, reject) => {
    const answered = (response: http.IncomingMessage) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    };
    const sent =
      scheme === 'http'
        ? http.request({ ...common, port: caddy.httpPort }, answered)
        : https.request({ ...common, port: caddy.httpsPort, servername: host, ca: caddy.rootCertificate() }, answered);
    sent.setTimeout(20_000, () => sent.destroy(new Error('no answer')));
    sent.on('error', reject);
    sent.end(body);
  });
}
