import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** Handles a request instead of the store. @returns false to pass the request on to the store */
export type S3Trick = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface S3Stub {
  readonly endpoint: string;
  readonly bucket: string;
  /** Method and path of every request so far. */
  readonly requests: string[];
  /** Sets a trick for all requests. Null removes it. */
  trick(trick: S3Trick | null): void;
  close(): Promise<void>;
}

export const BUCKET = 'backups-under-test';

/** An S3 server in its own process, behind a proxy that can refuse, delay or change requests. No signature checks. */
export async function startS3(): Promise<S3Stub> {
  const store = spawn(process.execPath, [path.join(__dirname, 's3-server.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(store.stdout, 'data')) as [Buffer];
  const port = Number(line.toString());
  await new Promise<void>((resolve, reject) => {
    const making = request({ port, host: '127.0.0.1', method: 'PUT', path: `/${BUCKET}` }, (answer) => {
      answer.resume().once('end', resolve);
    });
    making.once('error', reject).end();
  });
  let trick: S3Trick | null = null;
  const requests: string[] = [];
  const proxy = createServer((incoming, outgoing) => {
    requests.push(`${incoming.method} ${incoming.url}`);
    if (trick?.(incoming, outgoing)) return;
    const { method, url, headers } = incoming;
    const passed = request({ port, host: '127.0.0.1', method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.once('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    bucket: BUCKET,
    requests,
    trick: (next) => (trick = next),
    close: async () => {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
      store.stdin.end();
      await once(store, 'exit');
    },
  };
}
