import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { plainProblem } from '../../problem.js';
import type { ErrorBody } from './error-body.js';
import { requestIdOf } from '../fastify/request-id.js';
import { SECURITY_HEADERS } from '../fastify/security-headers.js';

const STATUS_OF_PARSER_ERROR: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Answers requests that Node's HTTP parser refuses (unknown method, conflicting lengths, headers too large or too slow)
 * with the API's body format.
 */
export function clientErrorHandler(errorBody: ErrorBody) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    // No response is possible: the peer is gone, or the response to this request has already begun.
    const { _httpMessage: open } = socket as Socket & { _httpMessage?: ServerResponse | null };
    if (error.code === 'ECONNRESET' || !socket.writable || open?.headersSent) {
      socket.destroy();
      return;
    }
    const status = STATUS_OF_PARSER_ERROR[error.code ?? ''] ?? 400;
    endWith(socket, status, randomUUID(), errorBody);
  };
}

function endWith(socket: Duplex, status: number, requestId: string, errorBody: ErrorBody): void {
  const body = JSON.stringify(errorBody(plainProblem(status), requestId));
  const allow = status === 405 ? { allow: 'GET, POST, PUT, PATCH, DELETE' } : {};
  const headers = Object.entries({ ...headersFor(body, requestId), ...allow });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

/** Without a listener Node closes the connection of a CONNECT without a response. */
export function refuseTunnels(server: Server, errorBody: ErrorBody): void {
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    endWith(socket, 405, requestIdOf(request), errorBody);
  });
}

/** Node handles `Expect: 100-continue`. Any other expectation is refused before routing, in the API's format. */
export function refuseExpectations(server: Server, errorBody: ErrorBody): void {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const requestId = requestIdOf(request);
    const body = JSON.stringify(errorBody(plainProblem(417), requestId));
    response.writeHead(417, headersFor(body, requestId));
    response.end(body);
  });
}

function headersFor(body: string, requestId: string) {
  return {
    ...SECURITY_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    connection: 'close',
  };
}
