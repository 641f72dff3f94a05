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

/** The API of a Git host, as far as commit statuses go: it keeps what it is told, and answers as it is asked to. */
export class StatusHost {
  readonly folder = mkdtempSync(join(tmpdir(), 'test-status-host-'));
  /** PEM of the authority, for `GIT_CA_FILE`. */
  readonly caFile = join(this.folder, 'ca.pem');
  readonly requests: StatusRequest[] = [];
  /** Answers of the next requests; 201 when there is none. */
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
        // A host that says the token again.
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

  /** What came since it was asked last. */
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
