import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Caller } from '#libs/panel-auth';
import { CLOSE } from '../protocol/close-codes.js';
import { MessageBudget } from '../protocol/message-budget.js';
import { encode, type ServerMessage } from '../protocol/server-message.js';
import type { RealtimeLimits } from '../realtime-limits.js';

const CLOSING_MS = 1_000;
/** Log lines are collected for this long and sent in one write. */
const GATHER_MS = 10;

/** Something a connection has subscribed to. */
export interface Subscription {
  readonly channelName: string;
  /** Called when the socket can take more data again. */
  onRelief?(): void;
  end(): void;
}

/** One open socket, with its caller and its subscriptions. */
export class Connection {
  caller: Caller | null = null;
  readonly subscriptions = new Map<string, Subscription>();
  readonly budget: MessageBudget;
  /** Whether the client has sent anything since the last ping. */
  isAlive = true;
  #isClosing = false;
  #isSlow = false;
  #gathering: NodeJS.Timeout | NodeJS.Immediate | null = null;

  constructor(
    readonly requestId: string,
    readonly ip: string,
    private readonly ws: WebSocket,
    private readonly socket: Socket,
    private readonly limits: RealtimeLimits,
  ) {
    this.budget = new MessageBudget(limits.messagesPerSecond);
    socket.on('drain', () => this.relieve());
  }

  get isOpen(): boolean {
    return !this.#isClosing && this.ws.readyState === this.ws.OPEN;
  }

  /** True once the send buffer exceeds the limit, until it has drained to half of it. */
  get isSlow(): boolean {
    const waiting = this.ws.bufferedAmount;
    if (waiting > this.limits.slowBytes) this.#isSlow = true;
    else if (waiting < this.limits.slowBytes / 2) this.#isSlow = false;
    return this.#isSlow;
  }

  send(message: ServerMessage): void {
    this.sendEncoded(Buffer.from(encode(message)));
  }

  /** For frames that go to several sockets, so that they are encoded once. */
  sendEncoded(frame: Buffer): void {
    this.write(frame);
    this.gather(null);
  }

  /** Like `sendEncoded`, but delayed, so that the next lines go out in the same write. */
  sendLine(frame: Buffer): void {
    this.write(frame);
    this.gather(GATHER_MS);
  }

  ping(): void {
    if (this.isOpen) this.ws.ping();
  }

  /** Sends a close frame and waits at most a second for the reply. */
  close(code: number, reason: string): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.endSubscriptions();
    this.flush();
    this.ws.close(code, reason);
    setTimeout(() => this.ws.terminate(), CLOSING_MS).unref();
  }

  endSubscriptions(): void {
    for (const subscription of this.subscriptions.values()) subscription.end();
    this.subscriptions.clear();
  }

  private write(frame: Buffer): void {
    if (!this.isOpen) return;
    if (this.ws.bufferedAmount > this.limits.mostBytes) {
      this.close(CLOSE.silent, 'does not read');
      return;
    }
    if (this.#gathering === null) this.socket.cork();
    this.ws.send(frame, { binary: false });
  }

  /** @param delayMs null: at the end of this turn of the event loop */
  private gather(delayMs: number | null): void {
    if (this.#gathering !== null) return;
    const flush = () => this.flush();
    this.#gathering = delayMs === null ? setImmediate(flush) : setTimeout(flush, delayMs);
  }

  private flush(): void {
    if (this.#gathering === null) return;
    clearTimeout(this.#gathering as NodeJS.Timeout);
    clearImmediate(this.#gathering as NodeJS.Immediate);
    this.#gathering = null;
    this.socket.uncork();
  }

  private relieve(): void {
    if (!this.isOpen || this.isSlow) return;
    for (const subscription of this.subscriptions.values()) subscription.onRelief?.();
  }
}
