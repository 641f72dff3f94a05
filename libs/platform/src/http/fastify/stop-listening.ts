import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost, type AbstractHttpAdapter } from '@nestjs/core';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The first step of a shutdown: refuse new connections and close idle ones. Requests in flight continue while the other
 * hooks run. Without this, requests would still be accepted while the rest of the application is shutting down.
 */
@Injectable()
export class StopListening implements OnModuleInit, OnModuleDestroy {
  private readonly sockets = new Set<Socket>();

  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    this.server?.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  onModuleDestroy(): void {
    const { server } = this;
    if (!server?.listening) return;
    server.close();
    server.closeIdleConnections();
    // Browsers open connections in advance. Node treats a connection without any data as busy and would wait for it.
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  /** Undefined if the application does not listen. */
  private get server(): Server | undefined {
    const adapter = this.host.httpAdapter as AbstractHttpAdapter | undefined;
    return adapter?.getHttpServer() as Server | undefined;
  }
}
