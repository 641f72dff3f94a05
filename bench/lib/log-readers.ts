import { WebSocket } from 'ws';

/** Sockets that count what they receive. */
export class LogReaders {
  private constructor(
    private readonly sockets: readonly WebSocket[],
    private readonly counts: { lines: number; gaps: number }[],
  ) {}

  /** @param first message that each socket sends once it is open; null for none */
  static async open(count: number, url: string, key: string | null, first: object | null): Promise<LogReaders> {
    const counts = Array.from({ length: count }, () => ({ lines: 0, gaps: 0 }));
    const sockets: WebSocket[] = [];
    for (const counted of counts) {
      const socket = new WebSocket(url, { headers: key ? { authorization: `Bearer ${key}` } : {} });
      sockets.push(socket);
      await new Promise<void>((resolve, reject) => {
        socket.on('error', reject);
        socket.on('open', () => {
          if (!first) return resolve();
          socket.send(JSON.stringify(first));
        });
        // Counts by searching the bytes: parsing each message would cost more than sending it.
        socket.on('message', (data: Buffer) => {
          if (data.includes('"service.log"')) counted.lines += 1;
          else if (data.includes('"service.log.gap"')) counted.gaps += 1;
          else if (data.includes('"subscribed"')) resolve();
        });
      });
    }
    return new LogReaders(sockets, counts);
  }

  /**
   * Waits until every socket has that many lines.
   * @throws Error if one has not in time, or received a gap
   */
  async until(lines: number, limitMs = 10_000): Promise<void> {
    const deadline = performance.now() + limitMs;
    while (this.counts.some((counted) => counted.lines < lines)) {
      if (performance.now() > deadline) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const bad = this.counts.filter((counted) => counted.lines !== lines || counted.gaps > 0);
    if (bad.length > 0) throw new Error(`${bad.length} sockets lost lines: ${JSON.stringify(bad[0])} of ${lines}`);
  }

  close(): void {
    for (const socket of this.sockets) socket.terminate();
  }
}
