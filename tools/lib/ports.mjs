import net from 'node:net';
import { randomInt } from 'node:crypto';
import { Refusal } from './refusal.mjs';

/** Whether this port is free on every address of this machine. */
export function isFree(port) {
  return new Promise((resolve) => {
    const probe = net.createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/**
 * Free ports below the system's range for outgoing connections, so that none is taken by chance before its server
 * listens.
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
