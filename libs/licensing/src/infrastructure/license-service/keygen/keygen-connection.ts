import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { KeygenOptions } from '../license-service-settings.js';
import { keygenRefusal, keygenUnavailable, OutcomeUnknown } from './keygen-errors.js';
import { readBounded } from './read-bounded.js';

const MEDIA_TYPE = 'application/vnd.api+json';
const MAX_ANSWER_BYTES = 1024 * 1024;
const TRIES_WHEN_BUSY = 3;

export interface KeygenCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the account, such as `licenses/{id}`. */
  readonly path: string;
  readonly body?: object;
}

/** A response that says whether the call took effect: 2xx, or a 4xx about the record. */
export interface KeygenAnswer {
  readonly status: number;
  /**
   * Contains the license key wherever it describes a license: read it only with `keygen-documents`, and never log it.
   */
  readonly json: unknown;
}

export interface KeygenTimeouts {
  /** Limit for one HTTP call, from connecting to the last byte of the response. */
  readonly callMs: number;
  /** Limit for one operation with all its calls and waits. */
  readonly operationMs: number;
}

const TIMEOUTS: KeygenTimeouts = { callMs: 8_000, operationMs: 25_000 };

/** The time source of a connection. */
export interface KeygenTimer {
  /** Aborts after this many ms. */
  timeout(ms: number): AbortSignal;
  /** @throws Error if `deadline` comes first */
  pause(ms: number, deadline: AbortSignal): Promise<void>;
}

export const REAL_TIME: KeygenTimer = {
  timeout: (ms) => AbortSignal.timeout(ms),
  pause: (ms, signal) => sleep(ms, undefined, { signal }),
};

/** Talks HTTP with Keygen: credentials, timeouts, size limits, and the meaning of each status. */
export class KeygenConnection {
  private readonly logger = new Logger(KeygenConnection.name);
  private readonly base: string;

  constructor(
    private readonly options: Pick<KeygenOptions, 'origin' | 'accountId' | 'token'>,
    private readonly timeouts: KeygenTimeouts = TIMEOUTS,
    private readonly timer: KeygenTimer = REAL_TIME,
  ) {
    this.base = `${options.origin}/v1/accounts/${encodeURIComponent(options.accountId)}`;
  }

  /** The deadline of an operation that starts now. */
  deadline(): AbortSignal {
    return this.timer.timeout(this.timeouts.operationMs);
  }

  /**
   * Makes one call; while Keygen is busy, up to three, with the delays that it requests.
   * @throws OutcomeUnknown if it is unknown whether the call took effect
   * @throws Unavailable if Keygen refuses us or stays busy, so that the call had no effect
   */
  async call(call: KeygenCall, deadline: AbortSignal): Promise<KeygenAnswer> {
    for (let attempt = 1; ; attempt++) {
      const response = await this.send(call, deadline);
      if (response.status !== 429) return this.judge(call, response);
      if (attempt === TRIES_WHEN_BUSY || response.retryAfterMs > this.timeouts.operationMs) {
        throw keygenUnavailable(`${nameOf(call)}: busy (429), try ${attempt}`);
      }
      await this.wait(response.retryAfterMs, deadline);
    }
  }

  private async send(call: KeygenCall, deadline: AbortSignal) {
    const signal = AbortSignal.any([deadline, this.timer.timeout(this.timeouts.callMs)]);
    try {
      const response = await fetch(`${this.base}/${call.path}`, {
        method: call.method,
        signal,
        redirect: 'manual',
        body: call.body && JSON.stringify(call.body),
        headers: {
          authorization: `Bearer ${this.options.token.reveal()}`,
          accept: MEDIA_TYPE,
          'keygen-version': '1.8',
          ...(call.body && { 'content-type': MEDIA_TYPE }),
        },
      });
      const text = await readBounded(response, MAX_ANSWER_BYTES);
      return { status: response.status, text, retryAfterMs: retryAfterMs(response.headers.get('retry-after')) };
    } catch (error) {
      throw new OutcomeUnknown(`${nameOf(call)}: no answer`, { cause: error });
    }
  }

  private async wait(ms: number, deadline: AbortSignal): Promise<void> {
    try {
      await this.timer.pause(ms, deadline);
    } catch (error) {
      throw keygenUnavailable('busy for longer than we wait', error);
    }
  }

  private judge(call: KeygenCall, { status, text }: { status: number; text: string }): KeygenAnswer {
    if (status >= 500) throw new OutcomeUnknown(`${nameOf(call)}: ${status}`);
    if (status === 401 || status === 402 || status === 403) {
      this.logger.error(`ALARM: Keygen refuses this installation (${status} on ${nameOf(call)}): ${CURE[status]}`);
      throw keygenRefusal(`${nameOf(call)}: ${status}`);
    }
    if (status < 200 || (status >= 300 && status < 400)) throw keygenRefusal(`${nameOf(call)}: unexpected ${status}`);
    return { status, json: text === '' ? null : parse(call, status, text) };
  }
}

const CURE: Record<401 | 402 | 403, string> = {
  401: 'KEYGEN_TOKEN is unknown or has expired',
  402: 'the Keygen subscription is not paid for',
  403: 'KEYGEN_TOKEN may not do this; it must be a product token',
};

function parse(call: KeygenCall, status: number, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // A proxy may have answered instead of Keygen. The parser's error is dropped because it quotes the response, which
    // may contain a key.
    throw new OutcomeUnknown(`${nameOf(call)}: ${status} with a body that is not JSON`);
  }
}

/** Method and path; a path contains only ids. */
function nameOf(call: KeygenCall): string {
  return `${call.method} ${call.path}`;
}

/** Seconds or an HTTP date (RFC 9110); one second if Keygen does not say. */
function retryAfterMs(header: string | null): number {
  const text = header?.trim() ?? '';
  if (/^\d{1,6}$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? 1000 : Math.max(0, date - Date.now());
}
