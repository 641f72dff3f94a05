import { isUtf8 } from 'node:buffer';
import { MIMEType } from 'node:util';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Invalid } from '#kernel/errors';
import { HttpRefusal, plainProblem } from '../../problem.js';
import { wholeBody } from '../limits/whole-body.js';

const MAX_DEPTH = 64;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
const defects = new WeakMap<FastifyRequest, Error>();
const rawBodies = new WeakMap<FastifyRequest, Buffer>();

type Done = (error: Error | null, body?: unknown) => void;

/**
 * Parses JSON bodies only. A defective body is not refused here, because 401, 429 and 403 come before 400, 413, 415 and
 * 422. `refuseDefectiveBody` reports it after the guards.
 */
export function acceptJsonBodies(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('remove', 'remove');
  fastify.removeAllContentTypeParsers();
  const limit = fastify.initialConfig.bodyLimit ?? Infinity;
  const read = (request: FastifyRequest, raw: Buffer, done: Done) => {
    if (raw.length === 0) return done(null, undefined);
    const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = request.headers;
    if (!JSON_TYPE.test(type)) {
      return remember(request, new HttpRefusal(415, 'The body must be JSON (Content-Type: application/json).'), done);
    }
    if (!isDeclaredUtf8(type)) {
      return remember(request, new HttpRefusal(415, 'The body must be UTF-8 (charset=utf-8, or no charset).'), done);
    }
    if (coding !== 'identity') {
      return remember(request, new HttpRefusal(415, 'The body must not be encoded (Content-Encoding).'), done);
    }
    // Decoding would replace invalid bytes with U+FFFD, which would then be stored.
    if (!isUtf8(raw)) return remember(request, new HttpRefusal(400, 'The body is not valid JSON.'), done);
    if (isNestedTooDeeply(raw)) {
      return remember(request, Invalid.at([], `body must not be nested deeper than ${MAX_DEPTH} levels`), done);
    }
    void parse(request, raw.toString('utf8'), (error, body) => {
      if (error) remember(request, new HttpRefusal(400, 'The body is not valid JSON.'), done);
      else done(null, body);
    });
  };
  fastify.addContentTypeParser('*', (request, payload, done) => {
    const announced = Number(request.headers['content-length'] ?? 0);
    wholeBody(payload, { announced, limit }, (error, bytes) => {
      if (error) done(new HttpRefusal(400, plainProblem(400).message));
      else if (bytes) {
        if (keepsRawBody(request)) rawBodies.set(request, bytes);
        read(request, bytes, done);
      } else remember(request, new HttpRefusal(413, plainProblem(413).message), done);
    });
  });
}

/** The raw body, for routes configured to keep it (`keepsRawBody`): signatures cover bytes. */
export function rawBodyOf(request: FastifyRequest): Buffer {
  return rawBodies.get(request) ?? Buffer.alloc(0);
}

/** @throws HttpRefusal or Invalid if the body could not be read */
export function refuseDefectiveBody(request: FastifyRequest): void {
  const defect = defects.get(request);
  if (defect) throw defect;
}

function keepsRawBody({ routeOptions }: FastifyRequest): boolean {
  const config: object = routeOptions.config ?? {};
  return 'keepsRawBody' in config && config.keepsRawBody === true;
}

function remember(request: FastifyRequest, defect: Error, done: Done): void {
  defects.set(request, defect);
  done(null, undefined);
}

/** JSON is UTF-8 (RFC 8259, 8.1). A body in another charset would be stored as other characters. */
function isDeclaredUtf8(type: string): boolean {
  if (!/charset/i.test(type)) return true;
  const charset = new MIMEType(type).params.get('charset');
  return charset === null || /^utf-?8$/i.test(charset);
}

/** Counts brackets outside strings, to protect recursive code from deeply nested bodies. */
function isNestedTooDeeply(raw: Buffer): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < raw.length; i++) {
    const byte = raw[i];
    if (inString) {
      if (byte === 0x5c) i++;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return false;
}
