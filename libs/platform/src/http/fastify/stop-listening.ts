import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Server } from 'node:http';

/**
 * The first step of a shutdown: refuse new connections and close idle ones. Requests in flight continue while the other
 * hooks run. Without this, requests would still be accepted while the rest of the application is shutting down.
 */
@Injectable()
export class StopListening implements OnModuleDestroy {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleDestroy(): void {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    if (!server.listening) return;
    server.close();
    server.closeIdleConnections();
  }
}
