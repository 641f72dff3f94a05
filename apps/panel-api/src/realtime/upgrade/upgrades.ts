import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** A request for a WebSocket upgrade that no route has accepted yet. */
export interface OfferedUpgrade {
  readonly socket: Socket;
  readonly head: Buffer;
  /** Detaches the connection from HTTP. */
  take(): void;
}

const offers = new WeakMap<IncomingMessage, OfferedUpgrade>();

export function offeredUpgrade(request: IncomingMessage): OfferedUpgrade | null {
  return offers.get(request) ?? null;
}

/**
 * Passes upgrade requests through the normal routing, so request ids, limits, errors and logs work as for all others.
 * A path without a WebSocket answers as usual. Requests for another protocol are answered in plain HTTP.
 */
export function routeUpgrades(fastify: FastifyInstance): void {
  fastify.server.on('upgrade', (request: IncomingMessage, stream, head: Buffer) => {
    const socket = stream as Socket;
    if (request.headers.upgrade?.toLowerCase() !== 'websocket' || request.method !== 'GET') {
      answerInPlainHttp(fastify, request, socket, head);
      return;
    }
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.on('finish', () => socket.end());
    socket.on('error', () => socket.destroy());
    offers.set(request, { socket, head, take: () => response.detachSocket(socket) });
    fastify.routing(request, response);
  });
}

/** Node has detached the connection by now. It is passed to the server again, without the `Upgrade` header. */
function answerInPlainHttp(fastify: FastifyInstance, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const [name, value] = [request.rawHeaders[index]!, request.rawHeaders[index + 1]!];
    if (!['upgrade', 'http2-settings', 'connection'].includes(name.toLowerCase())) lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  fastify.server.emit('connection', socket);
}
