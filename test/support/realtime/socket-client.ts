import { WebSocket } from 'ws';
import { eventually } from '../docker/eventually.js';

export interface Message {
  readonly v: 1;
  readonly type: string;
  readonly id?: string;
  readonly channel?: string;
  readonly seq?: number;
  readonly ts: string;
  readonly data: any;
}

export interface SocketOptions {
  readonly key?: string;
  readonly cookie?: string;
  readonly origin?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
}

export interface UpgradeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: any;
}

/** A client of `/ws` that keeps all messages. */
export class SocketClient {
  readonly messages: Message[] = [];
  closedWith: { readonly code: number; readonly reason: string; readonly atMs: number } | null = null;
  #ids = 0;

  private constructor(readonly ws: WebSocket) {
    ws.on('message', (data: Buffer) => this.messages.push(JSON.parse(data.toString()) as Message));
    ws.on('close', (code, reason) => {
      this.closedWith = { code, reason: reason.toString(), atMs: performance.now() };
    });
    ws.on('error', () => undefined);
  }

  /** @param url of the panel, `http://…` @throws if the server refuses the upgrade */
  static open(url: string, options: SocketOptions = {}): Promise<SocketClient> {
    return new Promise((resolve, reject) => {
      const client = new SocketClient(dial(url, options));
      client.ws.on('open', () => resolve(client));
      client.ws.on('unexpected-response', (_, answer) => reject(new Error(`answered ${answer.statusCode}`)));
      client.ws.on('error', reject);
    });
  }

  /** Opens a socket and waits for `hello`. */
  static async greeted(url: string, options: SocketOptions): Promise<SocketClient> {
    const client = await SocketClient.open(url, options);
    await client.next('hello');
    return client;
  }

  /** The response to an upgrade that must be refused. @throws if it is accepted */
  static refusal(url: string, options: SocketOptions = {}): Promise<UpgradeAnswer> {
    return new Promise((resolve, reject) => {
      const ws = dial(url, options);
      ws.on('error', reject);
      ws.on('open', () => {
        ws.terminate();
        reject(new Error('it was let in'));
      });
      ws.on('unexpected-response', (_request, answer) => {
        let text = '';
        answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
        answer.on('end', () => {
          const body: unknown = text ? JSON.parse(text) : null;
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body });
        });
      });
    });
  }

  send(message: object): void {
    this.ws.send(JSON.stringify({ v: 1, ...message }));
  }

  /** Sends a message with a new id and waits for the answer with that id. */
  async ask(message: object): Promise<Message> {
    this.#ids += 1;
    const id = `m${this.#ids}`;
    this.send({ ...message, id });
    return this.find((answer) => answer.id === id, `an answer to ${JSON.stringify(message)}`);
  }

  subscribe(channel: string, more: object = {}): Promise<Message> {
    return this.ask({ type: 'subscribe', channel, ...more });
  }

  of(type: string): Message[] {
    return this.messages.filter((message) => message.type === type);
  }

  next(type: string): Promise<Message> {
    return this.find((message) => message.type === type, type);
  }

  async find(wanted: (message: Message) => boolean, what = 'a message', limitMs = 10_000): Promise<Message> {
    const deadline = Date.now() + limitMs;
    for (;;) {
      const found = this.messages.find(wanted);
      if (found) return found;
      if (Date.now() > deadline || this.closedWith) {
        const last = JSON.stringify(this.messages.slice(-5));
        throw new Error(`no ${what}; closed: ${JSON.stringify(this.closedWith)}; last: ${last}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Waits until the server has answered everything that was sent before. */
  async settled(): Promise<void> {
    await this.ask({ type: 'ping' });
  }

  async closed(limitMs = 10_000): Promise<{ readonly code: number; readonly atMs: number }> {
    const closed = await eventually(
      () => Promise.resolve(this.closedWith),
      (one) => one !== null,
      limitMs,
    );
    return closed!;
  }

  async close(): Promise<void> {
    this.ws.terminate();
    await this.closed();
  }
}

function dial(url: string, { key, cookie, origin, path = '/ws', headers = {} }: SocketOptions): WebSocket {
  return new WebSocket(`${url.replace(/^http/, 'ws')}${path}`, {
    headers: {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(cookie ? { cookie } : {}),
      ...(origin ? { origin } : {}),
      ...headers,
    },
  });
}
