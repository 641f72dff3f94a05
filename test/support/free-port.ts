import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A TCP port that nobody listens on. It is below the range for outgoing connections, so that no connection of a test
 * run takes it before the server listens or while the server restarts.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 1_000; attempt++) {
    const port = randomInt(20_000, 30_000);
    if (await isFree(port)) return port;
  }
  throw new Error('no free port between 20000 and 30000');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
