import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/**
 * A server in place of a container. It returns its name, the request and the size of the body, can stream a response,
 * and echoes WebSocket messages.
 */
export class UpstreamServer {
  private constructor(
    private readonly server: Server,
    readonly name: string,
  ) {}

  static async start(name: string): Promise<UpstreamServer> {
    const server = createServer((request, response) => answer(name, request, response));
    const sockets = new WebSocketServer({ server, path: '/ws' });
    sockets.on('connection', (socket) =>
      socket.on('message', (data: Buffer) => socket.send(`${name}: ${data.toString()}`)),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new UpstreamServer(server, name);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Completes open requests and accepts no new ones. */
  async endGracefully(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeIdleConnections();
    await closed;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function answer(name: string, request: IncomingMessage, response: ServerResponse): void {
  if (request.url === '/stream') {
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.write('first');
    setTimeout(() => response.end('last'), 500);
    return;
  }
  let bytes = 0;
  request.on('data', (chunk: Buffer) => (bytes += chunk.length));
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ name, bytes, url: request.url, headers: request.headers }));
  });
}
