import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** A connection that asks to become a WebSocket, until a route takes it. */
export interface OfferedUpgrade {
  readonly socket: Socket;
  readonly head: Buffer;
  /** The connection is not answered over HTTP any more. */
  take(): void;
}

const offers = new WeakMap<IncomingMessage, OfferedUpgrade>();

export function offeredUpgrade(request: IncomingMessage): OfferedUpgrade | null {
  return offers.get(request) ?? null;
}

/**
 * Gives requests for an upgrade to the routes like all others: they meet the same ids, limits, errors and logs, and a
 * path without a WebSocket answers as it always does. Whoever asks for another protocol is answered in this one, as
 * HTTP has it, with its body read.
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

/** Node has let go of the connection by now: it is handed over once more, without the wish. */
function answerInPlainHttp(fastify: FastifyInstance, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const [name, value] = [request.rawHeaders[index]!, request.rawHeaders[index + 1]!];
    if (!['upgrade', 'http2-settings', 'connection'].includes(name.toLowerCase())) lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  fastify.server.emit('connection', socket);
}
