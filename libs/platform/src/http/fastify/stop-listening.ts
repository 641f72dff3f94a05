import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Server } from 'node:http';

/**
 * The first thing a shutdown does: no new connection, idle ones closed. What is in flight goes on while the other
 * hooks run; without this, requests would still be taken while the rest of the application is already ending.
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
