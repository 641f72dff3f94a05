import net from 'node:net';

export interface Load {
  readonly port: number;
  /** Connections that each wait for a response before the next request. */
  readonly connections: number;
  readonly seconds: number;
  /** The next request, as raw bytes. */
  readonly next: () => Buffer;
  /**
   * Called for every response with its status and the instant, by `performance.now()`, at which its request was sent.
   */
  readonly onAnswer?: (status: number, sentAt: number) => void;
}

export interface LoadResult {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly statuses: Readonly<Record<number, number>>;
}

/**
 * Sends requests as fast as responses arrive, for a fixed time. It is our own client because the generator shares the
 * cores with the program under test: it reads only status and length.
 */
export async function load(work: Load): Promise<LoadResult> {
  const latencies: number[] = [];
  const statuses: Record<number, number> = {};
  const startedAt = performance.now();
  const until = startedAt + work.seconds * 1000;
  const note = (status: number, sentAt: number) => {
    latencies.push(performance.now() - sentAt);
    statuses[status] = (statuses[status] ?? 0) + 1;
    work.onAnswer?.(status, sentAt);
  };
  await Promise.all(Array.from({ length: work.connections }, () => converse(work, until, note)));
  const seconds = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  const quantile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return { perSecond: latencies.length / seconds, p50: quantile(0.5), p99: quantile(0.99), statuses };
}

/** @throws Error if any response had another status: a fast refusal is not a result */
export function expectOnly(result: LoadResult, ...statuses: number[]): LoadResult {
  const others = Object.keys(result.statuses).filter((status) => !statuses.includes(Number(status)));
  if (others.length > 0) throw new Error(`unexpected answers: ${JSON.stringify(result.statuses)}`);
  return result;
}

function converse(work: Load, until: number, note: (status: number, sentAt: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port: work.port, host: '127.0.0.1', noDelay: true });
    const answers = new AnswerReader();
    let sentAt = 0;
    const ask = () => {
      sentAt = performance.now();
      if (sentAt >= until) {
        socket.destroy();
        resolve();
      } else socket.write(work.next());
    };
    socket.on('connect', ask);
    socket.on('error', reject);
    socket.on('end', () => reject(new Error('the server closed a connection')));
    socket.on('data', (chunk) => {
      try {
        const status = answers.take(chunk);
        if (status === null) return;
        note(status, sentAt);
        ask();
      } catch (error) {
        // Nobody else could catch it here, and the processes that the run started would be left behind.
        socket.destroy();
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  });
}

/** Finds the end of a response. A connection never has more than one open request. */
class AnswerReader {
  private head = '';
  private missing = -1;
  private status = 0;

  /** The status if the chunk completed the response, otherwise null. */
  take(chunk: Buffer): number | null {
    let body = chunk.length;
    if (this.missing < 0) {
      const before = this.head.length;
      this.head += chunk.toString('latin1');
      const end = this.head.indexOf('\r\n\r\n');
      if (end < 0) return null;
      const head = this.head.slice(0, end);
      this.status = Number(head.slice(9, 12));
      const length = /\r\ncontent-length: (\d+)/i.exec(head);
      if (!length && this.status !== 204) throw new Error(`an answer without length: ${head}`);
      this.missing = Number(length?.[1] ?? 0);
      body = chunk.length - (end + 4 - before);
    }
    this.missing -= body;
    if (this.missing > 0) return null;
    this.head = '';
    this.missing = -1;
    return this.status;
  }
}
