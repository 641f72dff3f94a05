import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface KeyedProxy {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A proxy that adds a key to every request, for programs that cannot send one.
 * @param target returns the server for a path; called for every request, because servers may start after the proxy
 */
export async function keyedProxy(
  target: (path: string) => { readonly url: string; readonly key: string },
): Promise<KeyedProxy> {
  const server = createServer((asked, reply) => {
    const { method, url: path = '/' } = asked;
    const { url, key } = target(path);
    const headers = { ...asked.headers, authorization: `Bearer ${key}` };
    const passedOn = request(new URL(path, url), { method, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    passedOn.on('error', () => reply.destroy());
    asked.pipe(passedOn);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
