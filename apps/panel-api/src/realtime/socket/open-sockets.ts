import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { limitedAddress } from '#platform/http/fastify/client-address';
import type { Caller } from '#libs/panel-auth';
import { CLOSE } from '../protocol/close-codes.js';
import { RealtimeLimits } from '../realtime-limits.js';
import type { Connection } from './connection.js';

const LOOK_MS = 20;

/** The open sockets of this process: counts them per caller and checks that they are alive. */
@Injectable()
export class OpenSockets implements OnModuleInit, OnModuleDestroy {
  private readonly all = new Set<Connection>();
  private heartbeat: NodeJS.Timeout | undefined;
  isClosing = false;

  constructor(private readonly limits: RealtimeLimits) {}

  onModuleInit(): void {
    this.heartbeat = setInterval(() => this.beat(), this.limits.heartbeat).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.heartbeat);
  }

  [Symbol.iterator](): Iterator<Connection> {
    return this.all[Symbol.iterator]();
  }

  add(connection: Connection): void {
    this.all.add(connection);
  }

  remove(connection: Connection): void {
    this.all.delete(connection);
  }

  hasRoomFor(caller: Caller): boolean {
    const id = credentialId(caller);
    const own = [...this.all].filter((one) => one.caller !== null && credentialId(one.caller) === id);
    return own.length < this.limits.socketsPerCredential;
  }

  /** Whether an address may open another unauthenticated socket. */
  hasRoomAt(ip: string): boolean {
    const address = limitedAddress(ip);
    const waiting = [...this.all].filter((one) => one.caller === null && limitedAddress(one.ip) === address);
    return waiting.length < this.limits.unauthenticatedPerAddress;
  }

  /** Closes all sockets and waits until they are closed. */
  async closeAll(code: number, reason: string): Promise<void> {
    this.isClosing = true;
    for (const connection of this.all) connection.close(code, reason);
    while (this.all.size > 0) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }

  /** Closes sockets that have not answered the last ping, and pings the others. */
  beat(): void {
    for (const connection of this.all) {
      if (!connection.isAlive) connection.close(CLOSE.silent, 'no answer');
      connection.isAlive = false;
      connection.ping();
    }
  }
}

function credentialId({ credential }: Caller): string {
  return credential.kind === 'session' ? credential.sessionId : credential.key.id;
}
