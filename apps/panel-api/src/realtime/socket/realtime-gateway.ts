import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { RateLimited, Unavailable } from '#kernel/errors';
import { LogHub } from '#libs/services';
import { CLOSE } from '../protocol/close-codes.js';
import { RealtimeLimits } from '../realtime-limits.js';
import type { OfferedUpgrade } from '../upgrade/upgrades.js';
import type { SocketCaller } from '../upgrade/socket-authentication.js';
import { Connection } from './connection.js';
import { Conversation } from './conversation.js';
import { OpenSockets } from './open-sockets.js';

const RETRY_SECONDS = 10;

/** Accepts sockets, passes on their messages, and closes them at shutdown. */
@Injectable()
export class RealtimeGateway implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger(RealtimeGateway.name);
  private server: WebSocketServer;

  constructor(
    private readonly conversation: Conversation,
    private readonly sockets: OpenSockets,
    private readonly logs: LogHub,
    private readonly limits: RealtimeLimits,
  ) {}

  onModuleInit(): void {
    const { messageBytes: maxPayload } = this.limits;
    this.server = new WebSocketServer({ noServer: true, clientTracking: false, perMessageDeflate: false, maxPayload });
  }

  /** @throws RateLimited if there are too many sockets; Unavailable during the shutdown */
  assertRoom(request: FastifyRequest, presented: SocketCaller | null): void {
    if (this.sockets.isClosing) throw new Unavailable('unavailable', 'The server is shutting down.');
    const hasRoom = presented ? this.sockets.hasRoomFor(presented.caller) : this.sockets.hasRoomAt(request.ip);
    if (!hasRoom) throw new RateLimited(RETRY_SECONDS);
  }

  /** Completes the upgrade and listens. */
  accept(request: FastifyRequest, { socket, head }: OfferedUpgrade, presented: SocketCaller | null): void {
    this.server.handleUpgrade(request.raw, socket, head, (ws) => {
      const connection = new Connection(request.id, request.ip, ws, socket, this.limits);
      this.sockets.add(connection);
      this.listen(ws, connection);
      this.conversation.begin(connection, presented);
    });
  }

  /** Runs before the database connections are closed. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.sockets.closeAll(CLOSE.shuttingDown, 'the server is shutting down');
    this.logs.stop();
  }

  private listen(ws: WebSocket, connection: Connection): void {
    ws.on('message', (data: RawData, isBinary: boolean) => {
      connection.isAlive = true;
      if (isBinary) connection.close(CLOSE.binary, 'text frames only');
      else this.conversation.hear(connection, (data as Buffer).toString('utf8'));
    });
    ws.on('pong', () => (connection.isAlive = true));
    // The library answers pings. They count against the limit of messages.
    ws.on('ping', () => {
      connection.isAlive = true;
      this.conversation.count(connection);
    });
    // The library closes the socket after protocol errors, with 1002, 1007 or 1009.
    ws.on('error', (error) => this.logger.debug(`socket ${connection.requestId}: ${error.message}`));
    ws.on('close', (code) => {
      this.conversation.end(connection);
      this.sockets.remove(connection);
      this.logger.debug(`socket ${connection.requestId} of ${connection.ip} closed with ${code}`);
    });
  }
}
