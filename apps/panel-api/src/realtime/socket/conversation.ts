import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import { Conflict, DomainError, RateLimited } from '#kernel/errors';
import { CredentialWatch, InvalidCredential, type Caller } from '#libs/panel-auth';
import { problemOf } from '#platform/problem';
import { assertCanWatch } from '../channels/caller-view.js';
import { FeedFanOut } from '../channels/feed-fan-out.js';
import { SubscriptionDesk } from '../channels/subscription-desk.js';
import { SubscriptionReview } from '../channels/subscription-review.js';
import { MessageRefused, readMessage, type ClientMessage } from '../protocol/client-message.js';
import { CLOSE } from '../protocol/close-codes.js';
import { errorData } from '../protocol/server-message.js';
import { RealtimeLimits } from '../realtime-limits.js';
import { SocketAuthentication, type SocketCaller } from '../upgrade/socket-authentication.js';
import type { Connection } from './connection.js';
import { helloData } from './hello.js';
import { OpenSockets } from './open-sockets.js';

/** The state of one socket. */
interface Running {
  /** Messages are handled one after the other, in order. */
  turn: Promise<void>;
  deadline: NodeJS.Timeout | null;
  stopWatching: () => void;
}

/** The life of a socket: authenticates it, handles its messages, and ends it when the credential is revoked. */
@Injectable()
export class Conversation {
  private readonly logger = new Logger(Conversation.name);
  private readonly running = new WeakMap<Connection, Running>();

  constructor(
    private readonly authentication: SocketAuthentication,
    private readonly watch: CredentialWatch,
    private readonly desk: SubscriptionDesk,
    private readonly subscriptions: SubscriptionReview,
    private readonly sockets: OpenSockets,
    private readonly limits: RealtimeLimits,
    private readonly clock: Clock,
    fanOut: FeedFanOut,
  ) {
    fanOut.heedRemovals((serviceId) => {
      for (const connection of this.sockets) this.subscriptions.serviceRemoved(connection, serviceId);
    });
  }

  begin(connection: Connection, presented: SocketCaller | null): void {
    const running: Running = { turn: Promise.resolve(), deadline: null, stopWatching: () => undefined };
    this.running.set(connection, running);
    if (presented) {
      this.welcome(connection, presented);
      return;
    }
    running.deadline = setTimeout(() => this.refuse(connection, new InvalidCredential()), this.limits.authentication);
    running.deadline.unref();
  }

  /** Counts a message against the limit, and closes the socket above it. @returns whether the socket stays open */
  count(connection: Connection): boolean {
    if (connection.budget.take()) return true;
    connection.close(CLOSE.tooMuch, 'too many messages');
    return false;
  }

  hear(connection: Connection, text: string): void {
    const running = this.running.get(connection);
    if (!running || !connection.isOpen || !this.count(connection)) return;
    running.turn = running.turn.then(() => this.answer(connection, text));
  }

  end(connection: Connection): void {
    const running = this.running.get(connection);
    clearTimeout(running?.deadline ?? undefined);
    running?.stopWatching();
    this.running.delete(connection);
    connection.endSubscriptions();
  }

  private async answer(connection: Connection, text: string): Promise<void> {
    if (!connection.isOpen) return;
    let message: ClientMessage | null = null;
    try {
      message = readMessage(text);
      await this.carryOut(connection, message);
    } catch (error) {
      const refused = error instanceof MessageRefused ? error : null;
      const reason = refused?.reason ?? error;
      if (problemOf(reason).status >= 500 && !(reason instanceof DomainError)) {
        this.logger.error(reason, `socket ${connection.requestId}`);
      }
      const channel = refused?.channel ?? (message && 'channel' in message ? message.channel : undefined);
      this.tellError(connection, reason, refused?.id ?? message?.id, channel);
    }
  }

  private async carryOut(connection: Connection, message: ClientMessage): Promise<void> {
    const { id } = message;
    const at = this.clock.now();
    switch (message.type) {
      case 'ping':
        connection.send({ type: 'pong', id, at, data: {} });
        return;
      case 'auth':
        return this.authenticate(connection, message.token);
      case 'subscribe':
        if (!connection.caller) throw new InvalidCredential();
        return this.desk.open(connection, message);
      case 'unsubscribe': {
        if (!connection.caller) throw new InvalidCredential();
        // Unsubscribing from an unknown channel is not an error, so it does not reveal whether the target exists.
        this.desk.close(connection, message.channel);
        connection.send({ type: 'unsubscribed', id, channel: message.channel, at, data: { reason: 'asked' } });
        return;
      }
    }
  }

  private async authenticate(connection: Connection, token: string): Promise<void> {
    if (connection.caller) throw new Conflict('conflict', 'The socket is already authenticated.');
    try {
      const presented = await this.authentication.byToken(token, connection.ip);
      if (!connection.isOpen) return;
      assertCanWatch(presented.caller);
      if (!this.sockets.hasRoomFor(presented.caller)) throw new RateLimited(1);
      this.welcome(connection, presented);
    } catch (error) {
      this.refuse(connection, error);
    }
  }

  private welcome(connection: Connection, { caller, renew }: SocketCaller): void {
    const running = this.running.get(connection)!;
    clearTimeout(running.deadline ?? undefined);
    connection.caller = caller;
    const stopWatching = this.watch.watch(caller, () => this.expire(connection));
    const recheck = setInterval(() => void this.recheck(connection, renew), this.limits.recheck).unref();
    running.stopWatching = () => {
      stopWatching();
      clearInterval(recheck);
    };
    connection.send({ type: 'hello', at: this.clock.now(), data: helloData(caller, this.limits) });
  }

  /** Checks credential and subscriptions again. If the check itself fails, the next one decides. */
  private async recheck(connection: Connection, renew: () => Promise<Caller>): Promise<void> {
    try {
      const caller = await renew();
      if (!connection.isOpen) return;
      connection.caller = caller;
      assertCanWatch(caller);
      await this.subscriptions.review(connection, caller);
    } catch (error) {
      if (error instanceof InvalidCredential) this.expire(connection);
      else if (error instanceof DomainError && error.kind !== 'unavailable') this.refuse(connection, error);
      else this.logger.warn(`socket ${connection.requestId} cannot be checked: ${String(error)}`);
    }
  }

  private expire(connection: Connection): void {
    if (!connection.isOpen) return;
    if (connection.caller?.credential.kind === 'session') {
      connection.send({ type: 'session.expired', at: this.clock.now(), data: {} });
    }
    this.refuse(connection, new InvalidCredential());
  }

  /** Sends the error and closes the socket. */
  private refuse(connection: Connection, error: unknown): void {
    this.tellError(connection, error);
    const { status } = problemOf(error);
    const codes: Record<number, number> = { 403: CLOSE.forbidden, 404: CLOSE.nothingThere, 429: CLOSE.tooMuch };
    connection.close(codes[status] ?? (status >= 500 ? CLOSE.shuttingDown : CLOSE.unauthenticated), 'refused');
  }

  private tellError(connection: Connection, error: unknown, id?: string, channel?: string): void {
    connection.send({ type: 'error', id, channel, at: this.clock.now(), data: errorData(error) });
  }
}
