import net from 'node:net';
import { randomInt } from 'node:crypto';
import { Refusal } from './refusal.mjs';

/** Whether nobody listens on this port, on any address of this machine. */
export function isFree(port) {
  return new Promise((resolve) => {
    const probe = net.createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/**
 * Free ports below the range from which the system serves outgoing connections, so that none is taken by chance
 * between this moment and the moment its server listens.
 */
export async function freePorts(count) {
  const found = new Set();
  for (let attempt = 0; found.size < count && attempt < 1000; attempt++) {
    const port = randomInt(20_000, 30_000);
    if (!found.has(port) && (await isFree(port))) found.add(port);
  }
  if (found.size < count) throw new Refusal('no free port between 20000 and 30000: stop some of the servers there');
  return [...found];
}
