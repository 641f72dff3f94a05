import Docker from 'dockerode';
import { EngineUnavailable } from '../../../application/ports/engine/container-runtime-errors.js';
import type { EngineVersion, Operation, OperationGuard } from '../../../application/ports/engine/container-runtime.js';
import { dockerOptions, type EngineTls } from './engine-endpoint.js';
import { refusalOrUnavailable, unexpected } from '../docker-errors.js';

export interface EngineSettings {
  /** As in `DOCKER_HOST`. */
  readonly host: string;
  readonly tls?: EngineTls | null;
  /** For calls that only read; 10 s by default. */
  readonly readTimeoutMs?: number;
  /** For calls that change something; 60 s by default. */
  readonly changeTimeoutMs?: number;
}

export interface CallLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Runs last before the request. */
  readonly guard?: OperationGuard;
}

const OLDEST_API = [1, 41] as const;
const NEWEST_API = [1, 51] as const;

/** The part of dockerode's transport that is used. */
interface Modem {
  version?: string;
  dial(options: object, callback: (error: Error | null, data: unknown) => void): void;
}

/**
 * The connection to one engine. It negotiates the API version, gives every call a deadline, and distinguishes an engine
 * that does not answer from one that refuses.
 */
export class EngineConnection {
  readonly readTimeoutMs: number;
  readonly #changeTimeoutMs: number;
  readonly #modem: Modem;
  #agreed: Promise<EngineVersion> | null = null;

  /** @throws RangeError when the host has another form than `DOCKER_HOST` takes */
  constructor(settings: EngineSettings) {
    this.#modem = new Docker(dockerOptions(settings.host, settings.tls)).modem;
    this.readTimeoutMs = settings.readTimeoutMs ?? 10_000;
    this.#changeTimeoutMs = settings.changeTimeoutMs ?? 60_000;
  }

  /** A request that changes nothing. A refusal counts as an unusable engine. */
  async ask<T>(signal: AbortSignal | undefined, work: (docker: Docker) => Promise<T>): Promise<T> {
    try {
      return await this.look(signal, work);
    } catch (error) {
      throw unexpected(error);
    }
  }

  /** A request that changes nothing. */
  look<T>(signal: AbortSignal | undefined, work: (docker: Docker) => Promise<T>): Promise<T> {
    return this.call({ timeoutMs: this.readTimeoutMs, signal }, work);
  }

  /** A request that dockerode has no method for, as its transport takes it. */
  dial(limits: CallLimits, request: object): Promise<unknown> {
    return this.call(limits, (docker) => {
      const modem: Modem = docker.modem;
      return new Promise((resolve, reject) => {
        modem.dial(request, (error, data) => (error ? reject(error) : resolve(data)));
      });
    });
  }

  /** A request that changes something. @param extraMs how long the engine itself may wait */
  change<T>(operation: Operation, work: (docker: Docker) => Promise<T>, extraMs = 0): Promise<T> {
    return this.call({ timeoutMs: this.#changeTimeoutMs + extraMs, ...operation }, work);
  }

  /**
   * Carries out one request of the engine's API. The limit holds until the answer is there or, for an answer that
   * goes on as a stream, until its head is; the signal holds to the stream's end.
   * @throws EngineUnavailable when there is no answer within the limit; EngineRefusal when the answer is an error;
   *   the signal's reason when the caller gave up
   */
  async call<T>(limits: CallLimits, work: (docker: Docker) => Promise<T>): Promise<T> {
    const { api } = await this.version(limits.signal);
    await limits.guard?.();
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), limits.timeoutMs);
    const ends = limits.signal ? AbortSignal.any([limits.signal, silence.signal]) : silence.signal;
    try {
      return await endedBy(ends, work(this.#docker(ends, `v${api}`)));
    } catch (error) {
      limits.signal?.throwIfAborted();
      if (silence.signal.aborted) throw this.#lost(tooSlow(limits.timeoutMs, error));
      const told = refusalOrUnavailable(error);
      throw told instanceof EngineUnavailable ? this.#lost(told) : told;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Negotiated once, and again after the engine was unavailable, because it may come back with another version. */
  async version(signal?: AbortSignal): Promise<EngineVersion> {
    signal?.throwIfAborted();
    this.#agreed ??= this.#agree().catch((error: unknown) => {
      this.#agreed = null;
      throw error;
    });
    return signal ? endedBy(signal, this.#agreed) : this.#agreed;
  }

  async #agree(): Promise<EngineVersion> {
    const deadline = AbortSignal.timeout(this.readTimeoutMs);
    try {
      const told = await endedBy(deadline, this.#docker(deadline, undefined).version());
      return { engine: told.Version, api: commonApi(String(told.ApiVersion), told.MinAPIVersion ?? '1.0') };
    } catch (error) {
      if (deadline.aborted) throw tooSlow(this.readTimeoutMs, error);
      throw error instanceof EngineUnavailable ? error : refusalOrUnavailable(error);
    }
  }

  /** A client whose every request ends with the signal: dockerode passes one on in some of its methods only. */
  #docker(signal: AbortSignal, version: string | undefined): Docker {
    const shared = this.#modem;
    const modem = Object.assign(Object.create(shared) as Modem, { version });
    modem.dial = (options, callback) => shared.dial.call(modem, { ...options, abortSignal: signal }, callback);
    return new Docker({ modem } as Docker.DockerOptions);
  }

  #lost(error: EngineUnavailable): EngineUnavailable {
    this.#agreed = null;
    return error;
  }
}

/** The newest version that both sides support. @throws EngineUnavailable when there is none */
export function commonApi(newest: string, oldest: string): string {
  const theirs = parseApi(newest);
  const common = before(theirs, NEWEST_API) ? theirs : NEWEST_API;
  if (before(common, OLDEST_API) || before(common, parseApi(oldest))) {
    throw new EngineUnavailable(
      `The Docker engine speaks API ${oldest} to ${newest}, the panel ${OLDEST_API.join('.')} to ${NEWEST_API.join('.')}.`,
    );
  }
  return common.join('.');
}

type ApiVersion = readonly [major: number, minor: number];

function parseApi(text: string): ApiVersion {
  const [major, minor] = text.split('.').map(Number);
  if (!Number.isInteger(major) || !Number.isInteger(minor)) {
    throw new EngineUnavailable(`The server at this address is not a Docker engine (API version ${text}).`);
  }
  return [major!, minor!];
}

function before([major, minor]: ApiVersion, [otherMajor, otherMinor]: ApiVersion): boolean {
  return major < otherMajor || (major === otherMajor && minor < otherMinor);
}

function tooSlow(limitMs: number, cause: unknown): EngineUnavailable {
  return new EngineUnavailable(`The Docker engine did not answer within ${limitMs / 1000} s.`, { cause });
}

/** The promise's outcome, or the signal's reason if that comes first. */
async function endedBy<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  if (signal.aborted) promise.catch(() => undefined);
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, ended]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
