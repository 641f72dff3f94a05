import { request } from 'node:http';
import type { Readable } from 'node:stream';

/** The address of the engine: `DOCKER_HOST`, or the default socket. */
export function engineHost(): string {
  return process.env.DOCKER_HOST || 'unix:///var/run/docker.sock';
}

export interface EngineAnswer {
  readonly status: number;
  readonly bytes: Buffer;
  readonly text: string;
  /** The body parsed as JSON. The type is not checked. */
  json<T>(): T;
}

/**
 * Calls the engine's HTTP API without the library that the adapter uses, so that tests check the engine independently.
 * Without an API version in the path, the engine uses its newest.
 */
export function engineRequest(
  method: string,
  path: string,
  options: { body?: object | Buffer | Readable; headers?: Record<string, string>; timeoutMs?: number } = {},
): Promise<EngineAnswer> {
  const { body } = options;
  const payload =
    body === undefined || Buffer.isBuffer(body) || isReadable(body) ? body : Buffer.from(JSON.stringify(body));
  const contentType = payload === body ? 'application/x-tar' : 'application/json';
  return new Promise((resolve, reject) => {
    const call = request(
      {
        ...engineAddress(),
        method,
        path,
        agent: false,
        headers: { ...(payload ? { 'content-type': contentType } : {}), ...options.headers },
        signal: AbortSignal.timeout(options.timeoutMs ?? 20_000),
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString();
          resolve({ status: answer.statusCode ?? 0, bytes, text, json: <T>() => JSON.parse(text) as T });
        });
      },
    );
    call.on('error', reject);
    if (isReadable(payload)) payload.pipe(call);
    else call.end(payload);
  });
}

/** The parsed response of a request that must succeed. @throws with the message of the engine otherwise */
export async function engineJson<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await engineRequest(method, path, { body });
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
  return answer.json<T>();
}

/** Options for both `http.request` and `net.connect`. */
export function engineAddress(): { socketPath: string; path: string } | { host: string; port: number } {
  const host = engineHost();
  if (host.startsWith('unix://')) {
    const path = host.slice('unix://'.length);
    return { socketPath: path, path };
  }
  const url = new URL(host.replace(/^tcp:/, 'http:'));
  return { host: url.hostname, port: Number(url.port || 2375) };
}

function isReadable(body: unknown): body is Readable {
  return typeof body === 'object' && body !== null && 'pipe' in body;
}
