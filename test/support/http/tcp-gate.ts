import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy between client and server that can cut all connections, as in an outage of the server. */
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

  /** Silently stops all traffic, on existing and new connections, until `cut`. */
  freeze(): void {
    this.isFrozen = true;
    for (const socket of this.sockets) socket.pause();
  }

  /** Cuts all connections once clients have sent this many bytes. @returns resolves when they are cut */
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
