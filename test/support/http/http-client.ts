import type { ContractCheck } from './contract-check.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed JSON. Undefined if the response is not JSON. */
  readonly body: any;
}

export interface Call {
  readonly body?: unknown;
  /** Sent unchanged instead of `body`. */
  readonly raw?: string;
  readonly headers?: Record<string, string>;
}

/** A client of a running API that checks every response against the OpenAPI document. */
export class HttpClient {
  constructor(
    private readonly baseUrl: string,
    private readonly token: string | null,
    private readonly check: ContractCheck,
  ) {}

  get(path: string, headers?: Record<string, string>): Promise<Answer> {
    return this.call('GET', path, { headers });
  }

  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.call('POST', path, { body, headers });
  }

  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.call('PATCH', path, { body, headers });
  }

  delete(path: string, headers?: Record<string, string>): Promise<Answer> {
    return this.call('DELETE', path, { headers });
  }

  async call(method: string, path: string, { body, raw, headers = {} }: Call = {}): Promise<Answer> {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      redirect: 'manual',
      body: sent,
      headers: {
        ...(this.token === null ? {} : { authorization: `Bearer ${this.token}` }),
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
    this.check.answer(method, path, answer);
    return answer;
  }
}
