import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engineAddress } from './engine-http.js';

/** A socket before the real engine, at which the engine can be away, silent or cut off without harm to others. */
export class EngineProxy {
  readonly #sockets = new Set<Socket>();
  readonly #sent: Buffer[] = [];
  #server: Server | null = null;
  #silent = false;

  private constructor(private readonly folder: string) {}

  /** Nothing listens yet: the engine is away. */
  static async create(): Promise<EngineProxy> {
    return new EngineProxy(await mkdtemp(join(tmpdir(), 'engine-proxy-')));
  }

  get host(): string {
    return `unix://${this.#path}`;
  }

  /** Connections that are open now. */
  get connections(): number {
    return [...this.#sockets].filter((socket) => !socket.destroyed).length;
  }

  /** All that callers have sent, in one piece. */
  get sent(): Buffer {
    return Buffer.concat(this.#sent);
  }

  async open(): Promise<void> {
    this.#server = createServer((caller) => this.#serve(caller)).listen(this.#path);
    await once(this.#server, 'listening');
  }

  /** The engine accepts connections and says nothing, as a stopped process does. */
  fallSilent(): void {
    this.#silent = true;
  }

  speakAgain(): void {
    this.#silent = false;
  }

  /** Every connection breaks, as when the engine is killed; it may be called anew at once. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Nothing listens any more. */
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
