import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A TCP port that nobody listens on, below the range from which the system serves outgoing connections: none of the
 * many connections of a test run takes it by chance before its server listens, or while that is started again.
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
