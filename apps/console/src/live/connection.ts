/** A message of the server on a channel. */
export interface LiveMessage {
  readonly type: string;
  readonly channel?: string;
  readonly seq?: number;
  readonly ts: string;
  readonly data?: Record<string, unknown>;
}

export type ConnectionState = 'connecting' | 'live' | 'lost';
type Listener = (message: LiveMessage) => void;

interface Subscription {
  readonly listeners: Set<Listener>;
  readonly tail: number | null;
  last: number | null;
}

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 15_000;
const PING_MS = 20_000;
const SIGNED_OUT = 4401;

/**
 * The one WebSocket of the page. It reconnects by itself and resumes every channel behind the last message that it saw,
 * so that listeners miss nothing that the server still knows.
 */
export class LiveConnection {
  private socket: WebSocket | null = null;
  private state: ConnectionState = 'connecting';
  private lostAt: number | null = null;
  private retryMs = FIRST_RETRY_MS;
  private readonly channels = new Map<string, Subscription>();
  private readonly watchers = new Set<() => void>();

  constructor(
    private readonly url: string,
    private readonly onSignedOut: () => void,
  ) {
    window.addEventListener('online', () => this.connect());
    setInterval(() => this.send({ type: 'ping' }), PING_MS);
  }

  connect = (): void => {
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onmessage = ({ data }) => this.receive(JSON.parse(String(data)) as LiveMessage);
    socket.onclose = ({ code }) => this.closed(code);
  };

  /** Listens to a channel until the returned function is called. `tail` asks a log for its last lines. */
  subscribe(channel: string, listener: Listener, tail: number | null = null): () => void {
    const known = this.channels.get(channel);
    const subscription = known ?? { listeners: new Set<Listener>(), tail, last: null };
    subscription.listeners.add(listener);
    if (!known) {
      this.channels.set(channel, subscription);
      this.ask(channel, subscription);
    }
    return () => {
      subscription.listeners.delete(listener);
      if (subscription.listeners.size > 0) return;
      this.channels.delete(channel);
      this.send({ type: 'unsubscribe', channel });
    };
  }

  watchState = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  currentState = (): ConnectionState => this.state;

  /** Since when nothing came, in milliseconds since the epoch; null while live. */
  lostSince = (): number | null => this.lostAt;

  private receive(message: LiveMessage): void {
    if (message.type === 'hello') {
      this.retryMs = FIRST_RETRY_MS;
      this.become('live');
      for (const [channel, subscription] of this.channels) this.ask(channel, subscription);
      return;
    }
    const subscription = message.channel === undefined ? undefined : this.channels.get(message.channel);
    if (!subscription) return;
    if (message.seq !== undefined) subscription.last = message.seq;
    for (const listener of subscription.listeners) listener(message);
  }

  private ask(channel: string, { last, tail }: Subscription): void {
    const from = last === null ? { ...(tail !== null && { tail }) } : { since: last };
    this.send({ type: 'subscribe', channel, ...from });
  }

  private send(message: object): void {
    if (this.state === 'live' && this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private closed(code: number): void {
    this.become('lost');
    if (code === SIGNED_OUT) return this.onSignedOut();
    setTimeout(this.connect, this.retryMs);
    this.retryMs = Math.min(MAX_RETRY_MS, this.retryMs * 2);
  }

  private become(state: ConnectionState): void {
    if (state === 'lost') this.lostAt ??= Date.now();
    else this.lostAt = null;
    this.state = state;
    for (const watcher of this.watchers) watcher();
  }
}
