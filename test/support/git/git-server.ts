import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_CIPHERS } from 'node:tls';
import { makeCertificate } from './certificate.js';
import { TestRepository } from './repository.js';

/** The wget of busybox fetches archives in containers, and it supports only old ciphers. */
const CIPHERS = `${DEFAULT_CIPHERS}:ECDHE-ECDSA-AES128-SHA:@SECLEVEL=0`;
const BACKEND = '/usr/lib/git-core/git-http-backend';

/**
 * Serves repositories over HTTPS on the loopback interface, with git's own server and a self-signed certificate. Paths
 * that begin with `redirect`, `slow`, `hang` or `endless` behave like bad hosts.
 */
export class GitServer {
  readonly folder = mkdtempSync(join(tmpdir(), 'test-git-'));
  /** The certificate in PEM format, for `GIT_CA_FILE`. */
  readonly caFile = join(this.folder, 'ca.pem');
  /** Every request, such as `GET /shop.git/info/refs?…`. */
  readonly requests: string[] = [];
  #server: Server | undefined;

  private constructor(private readonly address: string) {}

  /** @param address an address other than loopback, if containers must reach the server */
  static async start(address = '127.0.0.1'): Promise<GitServer> {
    const server = new GitServer(address);
    const tls = { ...makeCertificate(server.folder, server.caFile, address), ciphers: CIPHERS };
    server.#server = createServer(tls, (asked, answer) => server.serve(asked, answer)).listen(0, address);
    await once(server.#server, 'listening');
    return server;
  }

  get port(): number {
    return (this.#server?.address() as AddressInfo).port;
  }

  /** `host:port`, for `GIT_ALLOWED_HOSTS`. */
  get host(): string {
    return `${this.address}:${this.port}`;
  }

  url(name: string): string {
    return `https://${this.host}/${name}`;
  }

  repository(name: string): TestRepository {
    return new TestRepository(join(this.folder, 'repositories', name));
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    this.#server?.close();
    await Promise.resolve();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private serve(asked: IncomingMessage, answer: ServerResponse): void {
    this.requests.push(`${asked.method} ${asked.url}`);
    const url = new URL(asked.url ?? '/', 'http://git.test');
    const [, first = ''] = url.pathname.split('/');
    if (first === 'redirect') {
      answer.writeHead(302, { location: `https://${this.host}${url.pathname.slice('/redirect'.length)}${url.search}` });
      answer.end();
    } else if (first === 'slow' || first === 'endless') {
      answer.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' });
      const timer = setInterval(
        () => answer.write(first === 'slow' ? '0' : '0'.repeat(65_536)),
        first === 'slow' ? 500 : 1,
      );
      asked.on('close', () => clearInterval(timer));
    } else if (url.pathname.includes('/archive/')) this.archive(answer, url.pathname);
    else if (first !== 'hang') this.backend(asked, answer, url);
  }

  /** Serves `/shop/archive/<commit>.tar.gz`, as Gitea does. */
  private archive(answer: ServerResponse, path: string): void {
    const [, name = '', commit = ''] = /^\/([\w-]+)\/archive\/([0-9a-f]{40})\.tar\.gz$/.exec(path) ?? [];
    if (name === '') return void answer.writeHead(404).end();
    const args = ['archive', '--format=tar.gz', `--prefix=${name}/`, commit];
    spawn('git', args, { cwd: join(this.folder, 'repositories', name) }).stdout.pipe(answer);
  }

  private backend(asked: IncomingMessage, answer: ServerResponse, url: URL): void {
    const header = (name: string) => String(asked.headers[name] ?? '');
    // The repositories are checkouts, so their .git folders are served.
    const path = url.pathname.replace(/^\/([^/]+)/, '/$1/.git');
    const child = spawn(BACKEND, [], {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: join(this.folder, 'repositories'),
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: path,
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: asked.method,
        CONTENT_TYPE: header('content-type'),
        HTTP_CONTENT_ENCODING: header('content-encoding'),
        GIT_PROTOCOL: header('git-protocol'),
        REMOTE_ADDR: '127.0.0.1',
        // The test may run as another user than the one who made the folder.
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'safe.directory',
        GIT_CONFIG_VALUE_0: '*',
      },
    });
    asked.pipe(child.stdin).on('error', () => undefined);
    let head = Buffer.alloc(0);
    let isPast = false;
    child.stdout.on('data', (chunk: Buffer) => {
      if (isPast) return void answer.write(chunk);
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      isPast = true;
      let status = 200;
      for (const line of head.subarray(0, end).toString().split('\r\n')) {
        const [name = '', value = ''] = line.split(/:\s*/, 2);
        if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10);
        else answer.setHeader(name, value);
      }
      answer.writeHead(status);
      answer.write(head.subarray(end + 4));
    });
    child.stdout.on('end', () => answer.end());
  }
}
