import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/**
 * What stands for a container: says who it is, what it was asked and how; counts what it is sent, streams, and speaks
 * WebSocket.
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

  /** Answers what it has taken, and takes nothing more. */
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
