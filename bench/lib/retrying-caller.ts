import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS = 50;
/** Statuses that mean "not yet". */
const AGAIN = new Set([503, 504]);
const IN_PROGRESS = 'idempotency-key-in-progress';

/**
 * Calls a server that may die at any time, like a client that must not lose anything: one `Idempotency-Key` for each
 * task, repeated until there is a response.
 */
export class RetryingCaller {
  /** How often a request had to be repeated. */
  retries = 0;
  private stopped = false;

  /** @param address of the currently running server */
  constructor(private readonly address: () => string) {}

  /** @throws Error for a response that no retry would change */
  async post<T>(path: string, token: string, body: object | null): Promise<T> {
    const headers = {
      authorization: `Bearer ${token}`,
      'idempotency-key': randomUUID(),
      ...(body && { 'content-type': 'application/json' }),
    };
    while (!this.stopped) {
      const answer = await this.ask(path, { method: 'POST', headers, body: body && JSON.stringify(body) });
      if (answer && answer.status < 300) return answer.body as T;
      if (answer && !isTemporary(answer))
        throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      this.retries += 1;
      await pause(PAUSE_MS);
    }
    throw new Error('the server does not come back');
  }

  /** Ends all retries. */
  stop(): void {
    this.stopped = true;
  }

  /** Null without a complete response. */
  private async ask(path: string, request: RequestInit): Promise<Answer | null> {
    try {
      const answer = await fetch(`${this.address()}${path}`, request);
      return { status: answer.status, body: await answer.json() };
    } catch {
      return null;
    }
  }
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

function isTemporary({ status, body }: Answer): boolean {
  return AGAIN.has(status) || (status === 409 && JSON.stringify(body).includes(IN_PROGRESS));
}
