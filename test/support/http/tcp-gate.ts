import { connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between a client and a server and can cut the line: the server seems stopped, as it does in an outage. */
export class TcpGate {
  private readonly sockets = new Set<Socket>();
  private server: Server | null = null;
  private isFrozen = false;
  private onData: (bytes: number) => void = () => undefined;
  port = 0;

  constructor(private readonly target: { host: string; port: number }) {}

  async open(): Promise<void> {
    const server = createServer((client) => {
      const upstream = connect(this.target.port, this.target.host);
      for (const socket of [client, upstream]) {
        this.sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          client.destroy();
          upstream.destroy();
          this.sockets.delete(socket);
        });
      }
      if (!this.isFrozen) client.on('data', ({ length }: Buffer) => this.onData(length));
      if (!this.isFrozen) client.pipe(upstream).pipe(client);
    });
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as { port: number }).port;
    this.server = server;
  }

  /** From now on nothing passes, on new connections either, and nobody is told; until it is cut. */
  freeze(): void {
    this.isFrozen = true;
    for (const socket of this.sockets) socket.pause();
  }

  /** Cuts the line once clients have sent this much. @returns when it is cut */
  cutAfter(bytes: number): Promise<void> {
    let left = bytes;
    return new Promise((resolve, reject) => {
      this.onData = (length) => {
        left -= length;
        if (left > 0) return;
        this.onData = () => undefined;
        this.cut().then(resolve, reject);
      };
    });
  }

  async cut(): Promise<void> {
    const server = this.server;
    this.server = null;
    this.isFrozen = false;
    for (const socket of this.sockets) socket.destroy();
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}
