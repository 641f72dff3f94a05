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
  #held: { readonly isMeant: (request: string) => boolean; readonly reach: () => void } | null = null;

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
    this.#server = createServer({ allowHalfOpen: true }, (caller) => this.#serve(caller)).listen(this.#path);
    await once(this.#server, 'listening');
  }

  /** New connections are accepted but never answered, as by a stopped process. */
  fallSilent(): void {
    this.#silent = true;
  }

  speakAgain(): void {
    this.#silent = false;
  }

  /** The next such request does not reach the engine. @returns once it has come */
  hold(isMeant: (request: string) => boolean): Promise<void> {
    return new Promise((reach) => (this.#held = { isMeant, reach }));
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
      caller.resume().on('end', () => caller.end());
      return;
    }
    // Who feeds a program says so that there is no more, and goes on reading.
    const engine = connect({ ...engineAddress(), allowHalfOpen: true });
    this.#keep(engine);
    let isHeld = false;
    caller.on('data', (chunk: Buffer) => {
      this.#sent.push(chunk);
      if (this.#held?.isMeant(chunk.toString('latin1'))) {
        isHeld = true;
        this.#held.reach();
        this.#held = null;
      }
      if (!isHeld && !engine.write(chunk)) caller.pause();
    });
    engine.on('drain', () => caller.resume());
    caller.on('end', () => engine.end());
    engine.pipe(caller);
    caller.on('close', () => engine.destroy());
    engine.on('close', () => caller.destroy());
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
  }
}
