import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificate } from './certificate.js';

export interface StatusRequest {
  readonly request: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, string>>;
}

/** The commit status API of a Git host. It records all requests and returns the prepared answers. */
export class StatusHost {
  readonly folder = mkdtempSync(join(tmpdir(), 'test-status-host-'));
  /** The certificate in PEM format, for `GIT_CA_FILE`. */
  readonly caFile = join(this.folder, 'ca.pem');
  readonly requests: StatusRequest[] = [];
  /** Answers for the next requests. Without any, the answer is 201. */
  readonly answers: { readonly status: number; readonly headers?: Record<string, string> }[] = [];
  #server: Server | undefined;

  static async start(): Promise<StatusHost> {
    const host = new StatusHost();
    host.#server = createServer(makeCertificate(host.folder, host.caFile), (asked, answer) => {
      const parts: Buffer[] = [];
      asked.on('data', (part: Buffer) => parts.push(part));
      asked.on('end', () => {
        const body = JSON.parse(Buffer.concat(parts).toString()) as StatusRequest['body'];
        host.requests.push({ request: `${asked.method} ${asked.url}`, headers: asked.headers, body });
        const { status, headers } = host.answers.shift() ?? { status: 201 };
        // The response repeats the token, so that tests can check that it does not get into logs.
        answer.writeHead(status, headers).end(JSON.stringify(asked.headers));
      });
    }).listen(0, '127.0.0.1');
    await once(host.#server, 'listening');
    return host;
  }

  get port(): number {
    return (this.#server?.address() as AddressInfo).port;
  }

  /** `host:port`, for `GIT_ALLOWED_HOSTS`. */
  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** The requests since the last call. */
  taken(): StatusRequest[] {
    return this.requests.splice(0);
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    this.#server?.close();
    await Promise.resolve();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
