import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Caller } from '#libs/panel-auth';
import { CLOSE } from '../protocol/close-codes.js';
import { MessageBudget } from '../protocol/message-budget.js';
import { encode, type ServerMessage } from '../protocol/server-message.js';
import type { RealtimeLimits } from '../realtime-limits.js';

const CLOSING_MS = 1_000;
/** Lines wait this long for others, so that all of them go in one write. */
const GATHER_MS = 10;

/** Something a connection has subscribed to. */
export interface Subscription {
  readonly channelName: string;
  /** The socket takes more again. */
  onRelief?(): void;
  end(): void;
}

/** One open socket, with whoever it belongs to and what it watches. */
export class Connection {
  caller: Caller | null = null;
  readonly subscriptions = new Map<string, Subscription>();
  readonly budget: MessageBudget;
  /** Since the last heartbeat. */
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

  /** True from when too much waits to be sent until half of it is gone. */
  get isSlow(): boolean {
    const waiting = this.ws.bufferedAmount;
    if (waiting > this.limits.slowBytes) this.#isSlow = true;
    else if (waiting < this.limits.slowBytes / 2) this.#isSlow = false;
    return this.#isSlow;
  }

  send(message: ServerMessage): void {
    this.sendEncoded(Buffer.from(encode(message)));
  }

  /** What is sent to several sockets is encoded once. */
  sendEncoded(frame: Buffer): void {
    this.write(frame);
    this.gather(null);
  }

  /** As `sendEncoded`, a moment later: together with the lines that follow. */
  sendLine(frame: Buffer): void {
    this.write(frame);
    this.gather(GATHER_MS);
  }

  ping(): void {
    if (this.isOpen) this.ws.ping();
  }

  /** Says goodbye and waits no longer than a second for the answer. */
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

  /** @param delayMs null: as soon as everything of this turn is written */
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
