import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

const TICK_MS = 10;

/** A minimal `ws` server: sends the same text to all sockets at a rate, for as long as `GET /write` says. */
const server = createServer((request, answer) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (url.pathname !== '/write') return void answer.end('{}');
  void write(Number(url.searchParams.get('perSecond')), Number(url.searchParams.get('seconds'))).then(() =>
    answer.end(),
  );
});
const sockets = new WebSocketServer({ server, perMessageDeflate: false });

async function write(perSecond: number, seconds: number): Promise<void> {
  const startedAt = performance.now();
  const total = perSecond * seconds;
  for (let written = 0; written < total;) {
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1000) * perSecond));
    for (; written < due; written += 1) {
      const message = { v: 1, type: 'service.log', seq: written, data: { line: `line ${written} ${'x'.repeat(200)}` } };
      const text = Buffer.from(JSON.stringify(message));
      for (const socket of sockets.clients) socket.send(text, { binary: false });
    }
  }
}

process.once('SIGTERM', () => process.exit(0));
server.listen(Number(process.env.PORT), '127.0.0.1');
