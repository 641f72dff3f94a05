import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engineAddress } from './engine-http.js';

/** A proxy for the real engine that simulates an engine that is down, silent or cut off, without affecting others. */
export class EngineProxy {
  readonly #sockets = new Set<Socket>();
  readonly #sent: Buffer[] = [];
  #server: Server | null = null;
  #silent = false;

  private constructor(private readonly folder: string) {}

  /** Creates a proxy that does not listen yet, like an engine that is down. */
  static async create(): Promise<EngineProxy> {
    return new EngineProxy(await mkdtemp(join(tmpdir(), 'engine-proxy-')));
  }

  get host(): string {
    return `unix://${this.#path}`;
  }

  /** Number of open connections. */
  get connections(): number {
    return [...this.#sockets].filter((socket) => !socket.destroyed).length;
  }

  /** Everything that clients have sent. */
  get sent(): Buffer {
    return Buffer.concat(this.#sent);
  }

  async open(): Promise<void> {
    this.#server = createServer((caller) => this.#serve(caller)).listen(this.#path);
    await once(this.#server, 'listening');
  }

  /** New connections are accepted but never answered, as by a stopped process. */
  fallSilent(): void {
    this.#silent = true;
  }

  speakAgain(): void {
    this.#silent = false;
  }

  /** Breaks every connection, as if the engine were killed. New connections work at once. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Breaks every connection and stops listening. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    server?.close();
    this.cut();
    if (server) await once(server, 'close');
  }

  async remove(): Promise<void> {
    await this.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  get #path(): string {
    return join(this.folder, 'engine.sock');
  }

  #serve(caller: Socket): void {
    this.#keep(caller);
    if (this.#silent) {
      caller.resume();
      return;
    }
    const engine = connect(engineAddress());
    this.#keep(engine);
    caller.on('data', (chunk: Buffer) => this.#sent.push(chunk));
    caller.pipe(engine).pipe(caller);
    caller.on('close', () => engine.destroy());
    engine.on('close', () => caller.destroy());
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
  }
}
